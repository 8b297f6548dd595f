"""A rotating-ball flowmeter: what limits it, a start, a step beyond its limit, a pulsation, and a calibration of simulated readings."""

from pathlib import Path

import numpy as np

from rollick.archetypes.flowmeter.calibration import Pairs, calibrate
from rollick.archetypes.flowmeter.characteristic import characteristic
from rollick.archetypes.flowmeter.design import design_report
from rollick.archetypes.flowmeter.engineering import flowmeter, swirl_of_blades
from rollick.archetypes.flowmeter.pictures import characteristic_picture
from rollick.archetypes.flowmeter.response import answered, start_from_rest, step_response

out = Path("out")
out.mkdir(exist_ok=True)
per = swirl_of_blades("20 cm^2", "45 deg")  # v_f per flow rate behind blades
water = {"ball_diameter": "20 mm", "vessel_diameter": "220 mm", "ball_density": 1160, "drag": "schiller-naumann", "mu": 0.15}
meter = flowmeter(**water, flow_rate="15 L/min", swirl_per_flow=per)

print(design_report(meter, frequency=1.0, nu=1e-6, density_ratio=1000 / 1160, swirl_per_flow=per).summary())
characteristic_picture(meter, characteristic(meter)).savefig(out / "flowmeter.png", dpi=150)

start = start_from_rest(meter, 20.0)
print("\nstart-up:", ", ".join(f"{mode} from {when:.3f} s" for mode, when in start.modes), f"; {start.final:.5f} m/s at the end")
step = step_response(meter, 0.125, 0.4, 10.0, at=1.0)
print(
    "step to 0.4 m/s:", ", ".join(f"{mode} from {when:.3f} s" for mode, when in step.modes), f"; {step.final:.5f} m/s at the end"
)
pulse = answered(flowmeter(**water, swirl=0.125, amplitude=0.05, frequency=1.0), [0, 0, 0, 0.125], 30.0)
late = pulse.motion.t > 20.0
print(
    f"pulsating by 0.05 m/s at 1 Hz: modes {sorted({mode for mode, _ in pulse.modes})}, the ball's speed by {0.5 * np.ptp(pulse.motion['v'][late]):.4f} m/s"
)

rng = np.random.default_rng(1)
flows = np.linspace(4.0, 26.0, 12)  # L/min
readings = []
for q in flows:
    swirl = q / 6e4 * per
    (state,) = characteristic(meter, [swirl]).up
    readings.append(state.v / (2 * np.pi * meter.d) + rng.normal(0.0, 5e-4))
made = calibrate(Pairs(flows, np.array(readings), units=("L/min", "Hz"), source="simulated readings"))
print(f"\n{made.summary()}")
low, high = made.flow(0.2)[1:]
print(f"a reading of 0.2 Hz means {made.flow(0.2)[0]:.3f} L/min, between {low:.3f} and {high:.3f}")
print(f"wrote {out / 'flowmeter.png'}")
