# SPDX-License-Identifier: MIT
"""Words by which people and other tools call what a key of the board file holds. Data only.

A place is a path of the schema with `*` for a name and `[]` for an index; a target is a key at that place, or a path
below it. Words are parted by blanks; case, hyphens and underscores do not count.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

DK = ("er epsilon epsilon_r eps eps_r relative_permittivity permittivity dielectric_constant "
      "dielectric_const rel_permittivity dk_value")
DF = ("loss_tangent loss_tan tan_delta tand tangent_delta tan_loss dissipation_factor dissipation "
      "loss_factor df_value")
FREQUENCY = "frequency freq f fghz test_frequency measured_at at_frequency nyquist"
COUNT = "n qty quantity number amount pieces pcs"
LOSS = "insertion_loss il s21 attenuation loss_db"
FILE = "s_parameters sparameters sparams s4p s2p snp s_param file model"
SKEW = "delay_difference p_n_skew intra_pair_skew"

SYNONYMS: Mapping[str, Mapping[str, str]] = {
    "": {
        "schema": "version schema_version format format_version",
        "board": "project design info general header meta pcb",
        "fabrication": "fab manufacturing manufacturer process capabilities",
        "fabrication.tolerances": "tolerances tolerance",
        "materials": "material library dielectrics",
        "materials.laminates": "laminates laminate substrates",
        "materials.foils": "foils copper_foils",
        "materials.standards": "standards protocols",
        "stackup": "layers layer layer_stack stack build_up stack_up layerstackup",
        "via_types": "vias via padstacks padstack via_stacks via_definitions holes drills",
        "links": "nets net interfaces interface channels channel signals buses bus differential_pairs diff_pairs pairs "
                 "traces routes lanes serdes",
        "rails": "power_rails supply_rails pdn power_nets voltages regulators vrms",
        "thermal": "cooling heat thermals",
        "power": "psu power_supplies power_system supplies",
        "system": "accelerators gpus devices components",
        "evidence": "documents validation measurements",
    },
    "board": {
        "name": "title project board_name id",
        "revision": "rev version board_revision issue",
        "date": "day design_date release_date",
        "platform": "product type kind target",
        "form_factor": "form shape mechanical",
        "size": "dimensions outline",
        "size.width": "width board_width x",
        "size.height": "height length board_height board_length y",
        "thickness": "board_thickness total_thickness overall_thickness thick finished_thickness",
    },
    "board.size": {"width": "x w", "height": "y h length"},
    "board.thickness": {"value": "nominal thickness", "over": "including measured_over reference between"},
    "fabrication": {
        "class": "fab_class grade level capability tier",
        "aspect_ratio": "max_aspect_ratio aspect",
        "min_dielectric": "minimum_dielectric min_dielectric_thickness",
        "ipc_class": "ipc",
        "tolerances": "tolerance tol",
        "tolerances.width": "width_tolerance line_width_tolerance etch_tolerance",
        "tolerances.dielectric": "dielectric_tolerance height_tolerance",
        "tolerances.thickness": "thickness_tolerance",
        "tolerances.backdrill": "backdrill_tolerance",
        "impedance_control": "impedance controlled_impedance",
        "impedance_control.tolerance": "impedance_tolerance z_tolerance",
    },
    "fabrication.impedance_control": {"tolerance": "tol value impedance", "coupon": "coupons test_coupon"},
    "fabrication.tolerances": {
        "width": "trace_width line_width etch w",
        "dielectric": "height dielectric_thickness dielectric_height h",
        "copper": "copper_thickness t",
        "dk": DK,
        "df": DF,
        "backdrill": "backdrill_depth",
        "thickness": "board_thickness total",
        "registration": "layer_registration drill_registration misregistration",
    },
    "materials.laminates.*": {
        "class": "loss_class grade",
        "family": "resin resin_system chemistry",
        "vendor": "manufacturer maker supplier brand",
        "dk": DK,
        "df": DF,
        "at": FREQUENCY,
        "df_temperature": "tcdf tc_df df_per_kelvin df_tc thermal_coefficient_of_df",
        "water_absorption": "water moisture_absorption moisture water_uptake",
        "sets": "points data table measurements values",
        "thermal.tg": "tg glass_transition glass_transition_temperature",
        "thermal.td": "td decomposition_temperature",
        "thermal.k": "k thermal_conductivity",
        "thermal.cte_z_below": "cte cte_z alpha_1",
        "thermal.cte_z_above": "alpha_2",
    },
    "materials.foils.*": {"rz": "roughness rz_um ten_point_height", "rq": "rms rms_roughness sr hrms"},
    "materials.standards.*": {
        "rate": "data_rate bit_rate bitrate speed",
        "symbol_rate": "baud_rate baud",
        "nyquist": "nyquist_frequency fn",
        "modulation": "encoding line_code",
        "impedance": "z0 zdiff differential_impedance",
        "budgets": "budget loss_budget",
    },
    "stackup[]": {
        "kind": "type layer_type category",
        "name": "layer id label layer_name",
        "thickness": "thick height h t thk",
        "material": "laminate dielectric_material core_material prepreg_material substrate dielectric",
        "role": "usage function purpose net_type layer_usage layer_function",
        "base_weight": "weight copper_weight cu_weight oz foil_weight",
        "foil": "roughness foil_type copper_type copper_foil profile surface_roughness",
        "finish": "surface_finish plating_finish",
        "rz_top": "rz roughness_top top_roughness",
        "rz_bottom": "rz roughness_bottom bottom_roughness",
        "bond": "oxide bond_treatment oxide_treatment adhesion_promoter",
        "fill": "copper_fill coverage copper_coverage copper_density",
        "form": "subtype core_or_prepreg dielectric_type",
        "glass": "glass_style style weave fabric glass_weave",
        "plies": "ply number_of_plies ply_count plys",
        "resin": "resin_content rc resin_percent",
        "dk": DK,
        "over_trace": "thickness_over_trace over_copper mask_over_trace",
    },
    "via_types.*": {
        "span": "layers from_to start_stop layer_pair start_layer end_layer from to start stop",
        "kind": "type via_type",
        "drill": "drill_diameter hole hole_diameter hole_size drill_size diameter d",
        "finished": "finished_hole finished_hole_size fhs finished_diameter",
        "plating": "plating_thickness wall wall_thickness barrel_plating copper_wall",
        "pad": "pad_diameter land land_diameter pad_size capture_pad",
        "antipad.width": "antipad_diameter antipad_size antipad_width anti_pad_diameter clearance clearance_diameter",
        "antipad": "anti_pad void",
        "pitch": "via_pitch pair_pitch spacing center_to_center centre_to_centre",
        "return_vias": "ground_vias gnd_vias stitching_vias stitch_vias return_via ground_via",
        "return_vias.count": "ground_via_count gnd_via_count number_of_ground_vias",
        "return_vias.distance": "ground_via_distance gnd_via_distance return_via_distance ground_via_pitch",
        "fill": "plug plugged filling filled via_fill",
        "backdrill": "back_drill backdrills controlled_depth_drill cdd",
        "backdrill.residual": "stub residual_stub stub_length max_stub backdrill_stub",
        "backdrill.depth": "backdrill_depth",
        "backdrill.must_not_cut": "backdrill_layer target_layer must_not_cut_layer",
    },
    "via_types.*.antipad": {"width": "diameter d size w", "length": "height l"},
    "via_types.*.return_vias": {"count": COUNT, "distance": "spacing pitch offset"},
    "via_types.*.backdrill": {
        "side": "from face layer_side",
        "residual": "stub residual_stub stub_length remaining",
        "depth": "drill_depth",
        "tolerance": "tol depth_tolerance",
        "must_not_cut": "target_layer layer stop_layer must_not_cut_layer target",
        "diameter": "drill size drill_diameter",
    },
    "links.*": {
        "standard": "protocol interface type spec",
        "lanes": "lane_count number_of_lanes n_lanes",
        "impedance": "z z0 zdiff z_diff differential_impedance target_impedance impedance_target",
        "budget": "loss_budget insertion_loss_budget il_budget",
        "budget.loss": "max_loss max_insertion_loss loss",
        "path": "segments route topology elements",
        "lane_skew": "lane_to_lane_skew inter_lane_skew",
        "polarity_inverted": "polarity polarity_swap inverted pn_swap",
    },
    "links.*.budget": {"loss": LOSS, "at": FREQUENCY},
    "links.*.path[].trace": {
        "layer": "signal_layer layer_name",
        "width": "w trace_width line_width track_width",
        "top_width": "w_top upper_width width_top etched_width",
        "gap": "s spacing space separation pair_gap pair_spacing trace_spacing diff_gap intra_pair_spacing",
        "length": "len l trace_length total_length route_length",
        "length_p": "lp p_length positive_length",
        "length_n": "ln n_length negative_length",
        "lane_lengths": "lengths lengths_by_lane",
        "bends": "corners turns",
        "route_angle": "angle rotation weave_angle",
        "planes": "reference_planes references reference_layers return_planes",
        "reference_gaps": "plane_gaps splits voids gaps split_planes plane_splits",
        "neighbours": "neighbors aggressors adjacent adjacent_traces",
        "breakout": "neckdown escape fanout",
    },
    "links.*.path[].trace.lane_lengths": {"min": "shortest minimum", "max": "longest maximum"},
    "links.*.path[].trace.reference_gaps[]": {"width": "gap size", "layer": "plane"},
    "links.*.path[].trace.neighbours[]": {
        "spacing": "gap distance separation edge_to_edge s",
        "offset": "center_to_center centre_to_centre",
        "coupled_length": "length parallel_length coupling_length",
    },
    "links.*.path[].via": {
        "type": "via_type padstack kind",
        "enter": "from from_layer start layer_in in entry start_layer",
        "leave": "to to_layer end exit out layer_out end_layer",
        "neighbours": "neighbors aggressors adjacent",
        "skew": SKEW,
    },
    "links.*.path[].trace.coplanar": {
        "gap": "s spacing space clearance", "width": "w ground_width",
        "stitching": "vias via_pitch stitching_pitch pitch",
    },
    "links.*.path[].trace.broadside": {"layer": "other_layer", "offset": "shift displacement"},
    "links.*.path[].stretch": {"touchstone": FILE, "enter": "from from_layer start", "leave": "to to_layer end"},
    "links.*.path[].package": {
        "loss": LOSS, "at": FREQUENCY, "impedance": "z z0 zdiff", "delay": "td propagation_delay", "dk": DK,
        "die_capacitance": "cd c_d cdie c_die", "ball_capacitance": "cp c_p cball c_ball", "touchstone": FILE,
        "skew": SKEW,
    },
    "links.*.path[].connector": {
        "loss": LOSS, "at": FREQUENCY, "part": "part_number mpn pn type", "touchstone": FILE, "skew": SKEW,
        "press_fit_length": "pin_length press_fit",
    },
    "links.*.path[].capacitor": {
        "capacitance": "c value cap", "body": "package size case footprint", "esr": "r resistance",
        "inductance": "esl l", "loss": LOSS, "at": FREQUENCY,
    },
    "rails.*": {
        "load": "consumer device",
        "voltage": "v vdd vcc vout nominal nominal_voltage volts output_voltage",
        "tolerance": "tol regulation",
        "tolerance.dc": "dc_tolerance static_tolerance setpoint_accuracy",
        "tolerance.ac": "ripple ripple_tolerance max_ripple ac_tolerance dynamic_tolerance",
        "current": "load_current i iout amps",
        "current.sustained": "sustained_current continuous_current tdc average_current rms_current i_avg dc_current",
        "current.peak": "max_current peak_current imax i_max edc icc_max iccmax maximum_current",
        "current.step": "load_step step transient_step step_current transient_current delta_i di",
        "current.slew": "slew slew_rate di_dt didt",
        "load_line": "loadline ll dcll droop_resistance",
        "target": "target_impedance z_target ztarget zt impedance",
        "planes": "layers plane power_planes",
        "vrm": "regulator converter pmic dcdc dc_dc buck vr",
        "ladder": "capacitors caps decoupling decaps bypass decoupling_capacitors banks",
        "crossover": "bandwidth loop_bandwidth crossover_frequency",
    },
    "rails.*.tolerance": {"dc": "static setpoint accuracy dc_tolerance", "ac": "ripple dynamic transient ac_tolerance"},
    "rails.*.current": {
        "sustained": "continuous tdc average avg rms nominal typical dc",
        "peak": "max maximum edc imax iccmax",
        "step": "transient di load_step delta",
        "idle": "min minimum standby sleep",
        "slew": "slew_rate di_dt didt rate",
    },
    "rails.*.vrm": {
        "phases": "phase_count n_phases number_of_phases",
        "resistance": "r rout output_resistance",
        "inductance": "l lout output_inductance",
        "phase_inductance": "inductor phase_inductor l_phase inductor_value",
        "touchstone": FILE,
        "rated_continuous": "rating rated_current continuous_rating continuous_current tdc",
        "rated_peak": "peak_rating peak_current max_current",
        "over_current_limit": "ocp ocl current_limit overcurrent",
        "ambient": "temperature ambient_temperature t_ambient ta",
    },
    "rails.*.ladder[].bank": {
        "part": "part_number mpn type",
        "count": COUNT,
        "capacitance": "c value cap",
        "rated_voltage": "voltage_rating voltage rating v_rated",
        "effective": "derated effective_capacitance c_eff derated_capacitance",
        "esr": "r resistance",
        "esl": "l inductance",
        "touchstone": FILE,
        "mounted_inductance": "mounting_inductance l_mount esl_mounted mounted_esl loop_inductance",
        "distance": "dist away",
    },
    "rails.*.ladder[].bank.mounting": {
        "via_length": "length depth", "via_pitch": "pitch spacing", "via_drill": "drill diameter", "pairs": COUNT,
    },
    "rails.*.ladder[].spreading": {"resistance": "r", "inductance": "l", "between": "layers planes"},
    "rails.*.package": {
        "inductance": "l lpkg l_package", "resistance": "r rpkg", "die_capacitance": "cdie c_die capacitance c",
        "die_resistance": "rdie r_die esr",
    },
    "thermal": {
        "cooling": "method cooling_method type",
        "inlet": "inlet_temperature air_temperature coolant_temperature ambient ambient_temperature",
        "tim": "interface tim1 tim2 thermal_interface",
        "via_arrays": "thermal_vias vias",
    },
    "thermal.via_arrays.*": {
        "under": "part component device", "drill": "diameter hole hole_diameter", "plating": "wall plating_thickness",
        "count": COUNT, "power": "heat dissipation tdp", "pitch": "spacing",
        "laminate_conductivity": "k thermal_conductivity",
    },
    "thermal.board_air": {"temperature": "t ambient air_temperature"},
    "power": {"system_peak": "peak peak_power", "supplies": "psu psus power_supplies"},
    "power.supplies": {
        "count": COUNT, "redundant": "redundancy spare spares", "capacity": "rating power watts size rated_power",
    },
    "system.accelerators[]": {
        "type": "model part gpu device", "count": COUNT, "power.sustained": "tdp sustained_power",
        "power.peak": "edp edpp peak_power max_power",
    },
    "system.components[]": {"package": "body case footprint", "pitch": "ball_pitch pin_pitch"},
    "system.rack": {"power": "rack_power capacity"},
    "evidence.*": {
        "file": "path document", "reference": "ref number id report", "date": "day when issued",
    },
}
"""Per place: target, and the words that stand for it."""

NOTE = "comment comments remark remarks description desc notes info"
"""Words that stand for `note` wherever there is one."""


VALUES: Mapping[str, str] = {
    "copper": "conductor cu metal",
    "dielectric": "prepreg core pp insulator laminate",
    "mask": "soldermask solder_mask resist",
    "prepreg": "pp b_stage",
    "signal": "sig routing",
    "ground": "gnd vss",
    "power": "pwr vcc vdd supply",
    "mixed": "split",
    "through": "thru pth through_hole plated_through",
    "microvia": "uvia micro_via laser",
    "top": "front upper primary",
    "bottom": "bot back lower secondary",
    "round": "circular circle",
    "oval": "obround racetrack oblong",
    "resin": "epoxy",
    "plated": "copper_filled",
    "accelerator": "gpu asic npu tpu xpu",
    "differential": "diff",
    "sprung": "spring",
    "NRZ": "pam2",
}
"""Words by which people call an accepted word of a key."""


class Advice(NamedTuple):
    """Advice on a quantity that stands at a wrong place, or that is not modelled.

    ``place`` is the place where it was written; paths of the schema stand in backquotes in ``text``.
    """

    place: str
    words: str
    text: str


_COPPER = "resistivity conductivity rho sigma copper_conductivity copper_resistivity"
_LAMINATE = "write it in `materials.laminates.*.{}`, and name that laminate as `material`"

ADVICE: tuple[Advice, ...] = (
    Advice("stackup[]", f"df {DF}", "write it in `materials.laminates.*.df` with `materials.laminates.*.dk` and "
           "`materials.laminates.*.at`, and name that laminate as `material`"),
    Advice("stackup[]", "tg glass_transition", _LAMINATE.format("thermal.tg")),
    Advice("stackup[]", "td", _LAMINATE.format("thermal.td")),
    Advice("stackup[]", "thermal_conductivity k", _LAMINATE.format("thermal.k")),
    Advice("stackup[]", "cte cte_z", _LAMINATE.format("thermal.cte_z_below")),
    Advice("stackup[]", _COPPER, "the resistivity of copper is a constant of the model and cannot be set"),
    Advice("stackup[]", "etch etch_factor undercut", "write the narrower face of each trace in "
           "`links.*.path[].trace.top_width`"),
    Advice("stackup[]", "width trace_width gap spacing", "write it of each trace, in `links.*.path[].trace.width` and "
           "`links.*.path[].trace.gap`"),
    Advice("stackup[]", "impedance z0 zdiff", "write the target in `links.*.impedance`; the impedance of a layer is "
           "computed"),
    Advice("stackup[]", "plating plated plating_thickness", "it belongs to the finished copper: add it to "
           "`stackup[].thickness`"),
    Advice("stackup[]", "net nets rail", "write the layers of a rail in `rails.*.planes`"),
    Advice("links.*.path[].trace", "coplanar_gap ground_gap gnd_gap cpw_gap coplanar_spacing gcpw cpwg cpw "
           "coplanar_ground side_ground ground_spacing guard guard_trace ground_clearance",
           "write the space to the ground on either side in `links.*.path[].trace.coplanar.gap`"),
    Advice("links.*.path[].trace", "other_layer layer_n second_layer layers broadside_layer",
           "write the layer of the N leg of a broadside pair in `links.*.path[].trace.broadside.layer`"),
    Advice("links.*.path[].trace", "reference reference_layer reference_plane ref_layer ref_plane ref references plane",
           "the reference planes follow from `stackup[].role`; gaps in them are written in "
           "`links.*.path[].trace.reference_gaps`"),
    Advice("links.*.path[].trace", "impedance z0 zdiff z target_impedance z_diff", "write the target in "
           "`links.*.impedance`; the impedance of a trace is computed"),
    Advice("links.*.path[].trace", f"dk {DK}", "write it of the layer, in `stackup[].dk`"),
    Advice("links.*.path[].trace", f"df {DF}", "write it of the laminate, in `materials.laminates.*.df`"),
    Advice("links.*.path[].trace", "thickness t copper_thickness trace_thickness height h dielectric_height",
           "write it of the layer, in `stackup[].thickness`"),
    Advice("links.*.path[].trace", "roughness rz foil", "write it of the layer, in `stackup[].foil` or "
           "`stackup[].rz_top` and `stackup[].rz_bottom`"),
    Advice("links.*.path[].trace", "etch etch_factor undercut", "write the narrower face in "
           "`links.*.path[].trace.top_width`"),
    Advice("links.*.path[].trace", "pitch", "write the gap, pitch less width, in `links.*.path[].trace.gap`"),
    Advice("links.*.path[].trace", "loss insertion_loss loss_per_inch", "the loss of a trace is computed; the budget "
           "is written in `links.*.budget.loss`"),
    Advice("links.*.path[].trace", "mask solder_mask soldermask", "write it as a layer: `stackup[].kind` is `mask`"),
    Advice("links.*.path[].trace", "serpentine meander tuning", "add its length to `links.*.path[].trace.length`; the "
           "coupling of its legs is not modelled"),
    Advice("links.*.path[].trace", _COPPER, "the resistivity of copper is a constant of the model and cannot be set"),
    Advice("links.*.path[].trace", "temperature", "the temperature is a condition of the profile: write a ruleset that "
           "sets `hot` and `cold`"),
    Advice("links.*.path[].via", "stub stub_length residual residual_stub", "write it of the via type, in "
           "`via_types.*.backdrill.residual`"),
    Advice("via_types.*", "annular_ring annular ring", "write the diameter of the pad, the drill and twice the ring, "
           "in `via_types.*.pad`"),
    Advice("via_types.*", "aspect_ratio", "it is computed from drill and layers; the limit of the fabricator is "
           "written in `fabrication.aspect_ratio`"),
    Advice("via_types.*", "inductance capacitance impedance l c z",
           "the electrical model of a via is computed from its geometry and cannot be set"),
    Advice("rails.*.ladder[].bank", "dielectric derating bias",
           "write the capacitance that is left at bias in `rails.*.ladder[].bank.effective`"),
    Advice("rails.*", "power watts", "write the current, power over voltage, in `rails.*.current.sustained` and "
           "`rails.*.current.peak`"),
    Advice("links.*", "rate data_rate bit_rate speed bitrate", "the rate is that of the standard; one of your own is "
           "written in `materials.standards.*.rate`"),
)
"""What a key means that no key at that place holds."""
