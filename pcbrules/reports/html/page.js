"use strict";
(() => {
document.documentElement.classList.add("js-on");
const all = (where, what) => Array.from(where.querySelectorAll(what));
const margin = node => node.dataset.margin === "" || node.dataset.m === "" ? Infinity : Number(node.dataset.margin || node.dataset.m);
const WORST = ["fail", "crashed", "not-evaluated", "marginal", "waived", "accepted", "pass", "not-applicable"];

function cards(report) {
  const order = report.querySelector("select.order");
  if (!order) return;
  const boxes = all(report, ".cards"), made = all(report, ".card"), room = boxes.length ? boxes[0].children.length : 0;
  order.addEventListener("change", () => {
    const key = order.value;
    const less = (a, b) => key === "subject" ? a.dataset.subject.localeCompare(b.dataset.subject, "en", {numeric: true})
      : key === "margin" ? (margin(a) - margin(b) || 0) || made.indexOf(a) - made.indexOf(b)
      : made.indexOf(a) - made.indexOf(b);
    made.slice().sort(less).forEach((card, i) => boxes[i < room ? 0 : 1].append(card));
  });
}

function findings(report) {
  const section = report.querySelector(".findings"), bar = section.querySelector(".bar");
  if (!bar) return;
  const input = bar.querySelector("input[type=search]"), sort = bar.querySelector("select.sort");
  const boxes = all(bar, ".filters input"), out = bar.querySelector(".shown"), list = section.querySelector(".list");
  const blocks = all(list, ".block");
  const items = all(report, ".f").map(node => {
    const parts = all(node, "q"), places = parts.map(one => one.textContent.toLowerCase());
    const block = node.closest(".block"), head = block && block !== node ? block.querySelector("h4").textContent + block.querySelector("dl").textContent : "";
    const rule = node.closest("details.rule"), title = rule ? rule.firstElementChild.textContent : "";
    const own = (head + " " + title + " " + node.textContent).toLowerCase();
    return {node, block, parts, places, own: places.reduce((text, place) => text.replace(place, " "), own)};
  });
  const show = () => {
    const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
    const off = new Set(boxes.filter(box => !box.checked).map(box => box.value));
    const left = new Map();
    let seen = 0, whole = 0;
    for (const item of items) {
      let found = 0;
      item.parts.forEach((one, i) => {
        const text = item.own + " " + item.places[i] + " ";
        const hit = words.every(word => text.includes(word));
        one.hidden = !hit;
        found += hit;
      });
      if (item.block && off.has(item.block.dataset.s)) found = 0;
      item.node.hidden = !found;
      if (item.block) {
        whole += item.parts.length;
        seen += found;
        left.set(item.block, (left.get(item.block) || 0) + found);
      }
      const fold = item.node.querySelector("details.at");
      if (fold && words.length) fold.open = found > 0 && found <= 12;
    }
    left.forEach((found, block) => { block.hidden = !found; });
    for (const rule of all(report, "details.rule")) {
      const hits = all(rule, "tr.f").filter(row => !row.hidden).length;
      rule.hidden = !hits;
      if (words.length) rule.open = hits > 0 && hits <= 40;
    }
    out.textContent = seen === whole ? whole + " findings" : seen + " of " + whole + " findings";
  };
  let wait = 0;
  input.addEventListener("input", () => { clearTimeout(wait); wait = setTimeout(show, 80); });
  boxes.forEach(box => box.addEventListener("change", show));
  sort.addEventListener("change", () => {
    const key = sort.value, first = node => node.querySelector("q").textContent;
    const less = (a, b) => key === "m" ? (margin(a) < margin(b) ? -1 : margin(a) > margin(b) ? 1 : 0)
      : key === "r" ? a.dataset.r.localeCompare(b.dataset.r)
      : key === "at" ? first(a).localeCompare(first(b), "en", {numeric: true}) : blocks.indexOf(a) - blocks.indexOf(b);
    blocks.slice().sort(less).forEach(node => list.append(node));
  });
  all(report, "a[data-find]").forEach(link => link.addEventListener("click", () => {
    input.value = link.dataset.find;
    boxes.forEach(box => { box.checked = true; });
    show();
  }));
  show();
}

function opened(id) {
  const node = id && document.getElementById(decodeURIComponent(id));
  for (let up = node; up; up = up.parentElement) if (up.tagName === "DETAILS") up.open = true;
  if (node) node.scrollIntoView();
}
const fit = new ResizeObserver(seen => seen.forEach(({target}) => {
  target.classList.toggle("over", target.scrollWidth > target.clientWidth + 4);
}));
all(document, ".scroll").forEach(node => fit.observe(node));
addEventListener("hashchange", () => opened(location.hash.slice(1)));
document.addEventListener("click", event => {
  const link = event.target.closest("a[href^='#']");
  if (link) opened(link.getAttribute("href").slice(1));
});
document.addEventListener("keydown", event => {
  const typing = /^(INPUT|SELECT|TEXTAREA)$/.test(event.target.tagName);
  if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
    const input = document.querySelector("input[type=search]");
    if (input) { event.preventDefault(); input.focus(); }
  }
});

const TOP = 14, FINER = 5;
const tip = document.getElementById("tip");
const axis = text => {
  const [kind, pieces, unit] = text.split(";");
  const knots = pieces.split(" ").map(one => one.split(":").map(Number));
  return {unit, log: kind === "log", knots, start: knots[0][1], end: knots[knots.length - 1][1]};
};
const inside = (a, place) => {
  const beyond = (from, to) => (place - from) * Math.sign(a.end - a.start) > (to - from) * Math.sign(a.end - a.start);
  let i = 1;
  while (i < a.knots.length - 1 && beyond(a.start, a.knots[i][1])) i++;
  const [[u, from], [v, to]] = [a.knots[i - 1], a.knots[i]], value = u + (v - u) * (place - from) / (to - from);
  return a.log ? Math.exp(value) : value;
};
const digits = value => {
  const size = Math.abs(value);
  return size === 0 ? "0" : size >= 1e4 || size < 1e-3 ? value.toExponential(2) : String(Number(value.toPrecision(4)));
};
const PREFIX = [[1e9, "G"], [1e6, "M"], [1e3, "k"], [1, ""]];
const shown = (value, unit) => {
  const found = unit === "Hz" && PREFIX.find(([size]) => value >= size);
  return found ? digits(value / found[0]) + " " + found[1] + unit : digits(value) + " " + unit;
};
function points(path) {
  const numbers = path.getAttribute("d").match(/-?\d+/g).map(Number), made = [[numbers[0], numbers[1]]];
  for (let i = 2; i < numbers.length; i += 2) {
    const last = made[made.length - 1];
    made.push([last[0] + numbers[i], last[1] + numbers[i + 1]]);
  }
  return made;
}
function height(made, x) {
  for (let i = 1; i < made.length; i++) {
    const [a, b] = [made[i - 1], made[i]];
    if ((x >= a[0] && x <= b[0]) || (x <= a[0] && x >= b[0])) {
      return b[0] === a[0] ? b[1] : a[1] + (b[1] - a[1]) * (x - a[0]) / (b[0] - a[0]);
    }
  }
  return null;
}
function values(svg, x) {
  const ax = axis(svg.dataset.x), ay = axis(svg.dataset.y);
  svg.curves = svg.curves || all(svg, "path.c[data-n]").map(path => [path.dataset.n, points(path)]);
  const lines = [shown(inside(ax, x), ax.unit)];
  for (const [name, made] of svg.curves) {
    const y = height(made, x * FINER);
    if (y !== null) lines.push(name + ": " + shown(inside(ay, y / FINER), ay.unit));
  }
  return lines.join("\n");
}
function point(svg, x) {
  const {start, end} = axis(svg.dataset.x), low = axis(svg.dataset.y).start;
  svg.place = Math.min(Math.max(x, start), end);
  let line = svg.querySelector(".cursor");
  if (!line) {
    line = document.createElementNS("http://www.w3.org/2000/svg", "path");
    line.setAttribute("class", "cursor");
    svg.append(line);
  }
  line.setAttribute("d", "M" + svg.place.toFixed(1) + " " + TOP + "V" + low);
  tip.textContent = values(svg, svg.place);
  tip.hidden = false;
  const box = svg.getBoundingClientRect(), at = box.left + box.width * svg.place / 440;
  const wide = tip.offsetWidth, right = at + 14 + wide > innerWidth;
  tip.style.left = Math.max(4, right ? at - wide - 14 : at + 14) + "px";
  tip.style.top = Math.max(4, Math.min(box.top + 20, innerHeight - tip.offsetHeight - 4)) + "px";
}
function leave(svg) {
  tip.hidden = true;
  const line = svg.querySelector(".cursor");
  if (line) line.remove();
}
all(document, "figure svg").forEach(svg => {
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", svg.closest("figure").textContent.replace(/\s+/g, " ").trim().slice(0, 400));
});
all(document, "svg.plot").forEach(svg => {
  svg.tabIndex = 0;
  svg.addEventListener("pointermove", event => {
    const box = svg.getBoundingClientRect();
    point(svg, (event.clientX - box.left) / box.width * 440);
  });
  svg.addEventListener("pointerleave", () => leave(svg));
  svg.addEventListener("blur", () => leave(svg));
  svg.addEventListener("keydown", event => {
    const step = {ArrowLeft: -4, ArrowRight: 4}[event.key];
    if (step) { event.preventDefault(); point(svg, (svg.place === undefined ? 234 : svg.place) + step); }
    if (event.key === "Escape") leave(svg);
  });
});

function board(svg) {
  const whole = svg.getAttribute("viewBox").split(" ").map(Number), size = Number(svg.dataset.size), tools = svg.previousElementSibling;
  const marks = all(svg, ".mark").map(node => [node, node.getAttribute("transform").split(") scale")[0]]);
  let box = whole.slice(), held = null, dragged = false;
  const draw = () => {
    svg.setAttribute("viewBox", box.map(value => Number(value.toFixed(2))).join(" "));
    const pixel = svg.clientWidth ? Math.max(box[2] / svg.clientWidth, box[3] / svg.clientHeight) : size * box[2] / whole[2];
    const scale = (pixel * (svg.clientWidth && svg.clientWidth < 600 ? 0.7 : 1)).toFixed(4);
    marks.forEach(([node, at]) => node.setAttribute("transform", at + ") scale(" + scale + ")"));
    svg.classList.toggle("moved", box[2] < whole[2] * 0.999);
  };
  const clamp = (value, low, high) => Math.min(Math.max(value, low), Math.max(low, high));
  const place = (x, y, part) => {
    const wide = clamp(box[2] * part, whole[2] / 400, whole[2]), high = wide * whole[3] / whole[2];
    const [u, v] = [(x - box[0]) / box[2], (y - box[1]) / box[3]];
    box = [clamp(x - u * wide, whole[0], whole[0] + whole[2] - wide), clamp(y - v * high, whole[1], whole[1] + whole[3] - high), wide, high];
    draw();
  };
  const at = event => {
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [point.x, point.y];
  };
  const middle = () => [box[0] + box[2] / 2, box[1] + box[3] / 2];
  const pan = (x, y) => {
    box[0] = clamp(box[0] + x, whole[0], whole[0] + whole[2] - box[2]);
    box[1] = clamp(box[1] + y, whole[1], whole[1] + whole[3] - box[3]);
    draw();
  };
  svg.tabIndex = 0;
  new ResizeObserver(draw).observe(svg);
  svg.addEventListener("wheel", event => {
    if (!event.ctrlKey && document.activeElement !== svg) return;
    event.preventDefault();
    place(...at(event), event.deltaY < 0 ? 0.8 : 1.25);
  }, {passive: false});
  svg.addEventListener("dblclick", event => { event.preventDefault(); place(...at(event), 0.5); });
  svg.addEventListener("pointerdown", event => {
    dragged = false;
    if (event.pointerType !== "touch" || box[2] < whole[2] * 0.999) held = at(event);
  });
  svg.addEventListener("pointermove", event => {
    if (!held) return;
    const [x, y] = at(event);
    if (Math.hypot(x - held[0], y - held[1]) > 4 * size * box[2] / whole[2]) dragged = true;
    if (dragged) pan(held[0] - x, held[1] - y);
  });
  ["pointerup", "pointerleave", "pointercancel"].forEach(name => svg.addEventListener(name, () => { held = null; }));
  svg.addEventListener("click", event => { if (dragged) { event.preventDefault(); event.stopPropagation(); } }, true);
  svg.addEventListener("dragstart", event => event.preventDefault());
  const keys = {"+": () => place(...middle(), 0.8), "-": () => place(...middle(), 1.25), "0": () => place(...middle(), 1e9),
    ArrowLeft: () => pan(-box[2] / 10, 0), ArrowRight: () => pan(box[2] / 10, 0), ArrowUp: () => pan(0, -box[3] / 10), ArrowDown: () => pan(0, box[3] / 10)};
  svg.addEventListener("keydown", event => {
    if (keys[event.key] && !event.ctrlKey && !event.metaKey) { event.preventDefault(); keys[event.key](); }
  });
  all(tools, "button").forEach(button => button.addEventListener("click", () => {
    place(...middle(), {in: 0.5, out: 2, all: 1e9}[button.dataset.zoom]);
  }));
  all(tools, "input").forEach(input => input.addEventListener("change", () => {
    svg.querySelector("." + input.dataset.layer).style.display = input.checked ? "" : "none";
  }));
}
all(document, "svg.board").forEach(board);

addEventListener("beforeprint", () => all(document, "details").forEach(one => {
  one.dataset.was = one.open ? "1" : "";
  one.open = true;
}));
addEventListener("afterprint", () => all(document, "details").forEach(one => { one.open = one.dataset.was === "1"; }));
all(document, ".report").forEach(report => { cards(report); findings(report); });
opened(location.hash.slice(1));
})();
