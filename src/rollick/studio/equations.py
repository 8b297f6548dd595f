"""The equations of each system in LaTeX, for the page; in the symbols of the works, which the words of the code beside them explain.

They are turned into MathML, which browsers draw by themselves, without a network. Where the converter (latex2mathml) is missing the LaTeX is shown.
"""

from __future__ import annotations

from html import escape

ROLLING = [
    "No slip at the contact point, $\\rho$ from the mass centre; $n$ is the upward normal, $F$ the contact force:",
    r"\dot{r}_C + \omega\times\rho = 0 ,\qquad m\,\ddot{r}_C = m\,g + F",
    r"I\,\dot\omega + \omega\times I\omega = \rho\times F + \tau\, n - \sigma\,\omega",
    "Marble: $\\tau = 0$. Rubber: no twist either, $\\omega\\cdot n = 0$, and $\\tau$ keeps it so. Bodies of revolution that roll like rubber have one degree of freedom:",
    r"\dot\theta = \frac{p}{B},\qquad \dot p = \frac{p^2 B'}{2B^2} + \ell^2\frac{\cos\theta}{\sin^3\theta} - m g\Lambda - \sigma\frac{p}{B}",
]
FRICTION = [
    "Equality of measures: smooth motion and impacts in one,",
    r"M(q)\,du = h(q,u)\,dt + W^{\mathsf T}\,dP ,\qquad \dot q = F(q)\,u ,\qquad \gamma = W u",
    "Signorini and Newton along the normal, Coulomb along the plane:",
    r"0 \le \gamma_N^{+} + e_N\,\gamma_N^{-} \;\perp\; P_N \ge 0 ,\qquad \lVert P_T\rVert \le \mu P_N ,\qquad P_T = -\mu P_N\frac{\gamma_T}{\lVert\gamma_T\rVert}\ \ (\gamma_T\neq 0)",
    "Regularised:",
    r"\lambda_T = -\mu\,\lambda_N\,\frac{\gamma_T}{\lVert\gamma_T\rVert + \varepsilon}",
]
IMPACTS = [
    "Small tilt: $q$ and $p$ are displacements and velocities, contact $i$ has the gap $f_i\\cdot q$; free flight between impacts,",
    r"\dot q = p ,\qquad \dot p = (0,\ldots,0,-g)",
    "and when a gap closes, Newton's law along it with the mass matrix $\\Theta$:",
    r"p^{+} = p^{-} - (1+\gamma)\,\frac{f_i\cdot p^{-}}{f_i\cdot\Theta^{-1}f_i}\;\Theta^{-1}f_i",
]
EQUATIONS: dict[str, list[str]] = {
    "rattleback": [
        "Kane and Levinson: an ellipsoid rolls without slipping; inertia about the mass centre, with the chirality $D$, and the damping couple:",
        r"I = A\,r_1r_1 + B\,r_2r_2 + C\,r_3r_3 + D\,(r_1r_2 + r_2r_1) ,\qquad T = -\sigma\,\omega",
        "No slip at the contact point, $\\rho$ from the mass centre, contact force $F$:",
        r"\dot{r}_C + \omega\times\rho = 0 ,\qquad m\,\ddot{r}_C = m\,g + F ,\qquad I\,\dot\omega + \omega\times I\omega = \rho\times F - \sigma\,\omega",
        "The contact point of the ellipsoid, with the direction $n$ of the plane's normal in body axes, from its centre:",
        r"x = \frac{(a^2 n_1,\; b^2 n_2,\; c^2 n_3)}{\sqrt{a^2n_1^2 + b^2n_2^2 + c^2n_3^2}}",
    ],
    "tippedisk": [*FRICTION, "One contact of the rim with the plane, and three points that let the disk lie flat."],
    "tippedisk_reduced": [
        "The mass centre stays above one point and the disk spins with $\\Omega$; friction acts across the rim only:",
        r"\lambda_y = -\mu\,m g\,\frac{\gamma_y}{\varepsilon + \lvert\gamma_y\rvert}",
        "On the slow manifold two states are left; $\\varepsilon = 0$ is pure rolling, and conserves the height of the mass centre:",
        r"\dot\beta = h_c + \varepsilon\,h_1 ,\qquad \dot\gamma = -\Omega\cos\beta ,\qquad z_S = (r + e\sin\gamma)\sin\beta",
    ],
    "rod": IMPACTS,
    "polygon": IMPACTS,
    "dying_disk": [*IMPACTS, "Contacts round the unit circle, $f_i = R^i f_0$ with $f_0 = (0,-1,1)$."],
    "drop": [
        "A rod falls and hits the floor with its ends; on it a light oscillator at $r$:",
        r"\ddot h = -1 ,\qquad \ddot\varphi = 0 ,\qquad \ddot u + 2\delta\,\dot u + (\Omega^2 - \dot\varphi^2)\,u = 0",
        "between impacts with the restitution $\\gamma$. Its largest displacement, over that of a drop of the component alone, is the shock $R$.",
    ],
    "philae": [
        "The lander with its flywheel, angular momentum $L$, bearing torque $M_f$:",
        r"(\theta_{00} - u_z u_z^{\mathsf T}\theta_{22})\,\dot\omega = -(\omega\times L + u_z M_f) ,\qquad L = \theta_{00}\,\omega + \theta_{22}\,u_z\,\omega_{\mathrm{rot}}",
        r"\dot\omega_{\mathrm{rot}} = \frac{M_f}{\theta_{22}} - u_z\cdot\dot\omega ,\qquad \dot s = -\omega\times s",
        "Once the wheel sticks:",
        r"\theta_{00}\,\dot\omega = -\omega\times L ,\qquad \dot\omega_{\mathrm{rot}} = 0",
    ],
    "tippe_top": [
        "A sphere with its mass centre off its middle, and a stem; contact points from the mass centre:",
        r"\rho_{\mathrm{body}} = a\,e_3 - R\,n ,\qquad \rho_{\mathrm{stem}} = (a + \mathit{stem})\,e_3 - \mathit{tip}\;n",
        *FRICTION[:4],
    ],
    "euler_disk": [
        "Steady rolling with the mass centre at rest:",
        r"\Omega^2 = \frac{m g\,(R\cos\theta - h\sin\theta)}{\sin\theta\,\left(I_1\cos\theta - I_3\frac{h}{R}\sin\theta\right)} ,\qquad \Omega^2\theta \to \frac{m g R}{I_1}",
        *FRICTION[:4],
    ],
    "pool_ball": [
        "Slip $u$ at the bottom and velocity $v$ of the centre, water with the velocity $w$:",
        r"\dot u = -\tfrac{7}{2}\,\mu g\,\frac{u}{\lVert u\rVert} - \frac{K}{m}(v - w) ,\qquad \dot v = -\mu g\,\frac{u}{\lVert u\rVert} - \frac{K}{m}(v - w)",
        "It rolls, $u = 0$, while",
        r"\lVert v - w\rVert < \frac{7\mu g m}{2K} .",
    ],
    "spring_disk": [
        "Displacement $w$, velocity $v$, slip $u$; a spring pulls, dry friction acts where it slips:",
        r"\dot w = v ,\qquad m\,\dot v = -k\,w + T ,\qquad m\,\dot u = -k\,w + 3\,T",
        r"T = -\mu m g\,\mathrm{sgn}\,u \quad (u\neq 0),\qquad \lvert T\rvert \le \mu m g\quad (u = 0)",
    ],
    "filippov_toy": [
        "Three variables, a field that jumps where $x_1 = x_2 = 0$:",
        r"\dot x_1 = -\frac{x_1}{\rho} + x_3 ,\qquad \dot x_2 = \mathrm{sign}\,\frac{x_2}{\rho} ,\qquad \dot x_3 = -\frac{x_1}{\rho} - x_3 ,\qquad \rho^2 = x_1^2 + x_2^2",
    ],
    "ball_in_corner": [
        "Two contacts with the normals $n_\\pm = (\\pm\\cos a, \\sin a, 0)$ and the slips",
        r"u_1 = v - r\,\Omega\cdot(n\times z) ,\qquad u_2 = r\,\Omega_z",
        r"m\,\dot v = F_z + \sum T_{1} ,\qquad J\,\dot\Omega = \sum \rho\times T ,\qquad J = j\,m r^2,\quad \lVert T_\pm\rVert \le \mu_\pm N_\pm",
    ],
    "flowmeter": [
        "A ball on the floor ($+$) and at the wall ($-$) of a vessel, carried by swirling fluid:",
        r"\frac{m v^2}{d} = T_2^{+} + N^{-} ,\qquad 0 = N^{+} - T_2^{-} - m g ,\qquad m\,\dot v = T_1^{+} + T_1^{-} + m\,D(v_f - v)",
        r"j m\left(\dot v - \dot u_1^{+} + \frac{v u_2}{d}\right) = -T_1^{+} ,\qquad j m\,(\dot u_1^{-} - \dot v) = T_1^{-}",
        r"j m\left(\dot u_2 - \frac{v^2}{d} + \frac{v u_1^{+}}{d}\right) = T_2^{+} + T_2^{-}",
    ],
    "wheelset": [
        "Lateral displacement $y$, $\\Psi = b\\psi$, slips at both wheels; forces $T$ per mass, $\\lVert T\\rVert \\le \\mu F_{load}/(2m)$:",
        r"\dot y = \omega_L\eta\,\Psi + u_a ,\qquad \dot\Psi = -\frac{\omega_L}{\eta}(y - y_t) - \tfrac12(u_1^{+} - u_1^{-})",
        r"\dot u_1^{\pm} = \pm A\,\Psi \mp \frac{\omega_L}{\eta}(u_a - \dot y_t) + (M_\varphi \pm M_\psi)\,T_1^{+} + (M_\varphi \mp M_\psi)\,T_1^{-}",
        r"\dot u_a = -B\,y - \omega_L^2\,y_t + \omega_L\eta\,\tfrac12(u_1^{+} - u_1^{-}) + T_2^{+} + T_2^{-}",
    ],
    "wheelset_rolling": [
        "Both wheels touch their rails and roll; heights and slopes of the profiles agree at both contacts,",
        r"G^{+} - G^{-} = 0 ,\qquad E^{\pm} = 0 ,\qquad G = Z - c_r(U_r)",
        r"E = c_w'\,(c_r'\tan\vartheta + s) + \cos\zeta\,\cos\psi\,(\tan\vartheta - s\,c_r')",
    ],
    "body": [*FRICTION, "Where it rolls (marble, rubber): no slip, $\\dot r_C + \\omega\\times\\rho = 0$."],
}
EQUATIONS["tippedisk_normalised"] = EQUATIONS["tippedisk_reduced"]


def equations_of(name: str) -> list[str]:
    """The equations of a system: LaTeX, and words between (which may hold LaTeX between dollar signs)."""
    return EQUATIONS.get(name, ROLLING)


def is_words(text: str) -> bool:
    """Whether a line is words; equations have no full stop, colon or comma after a word of English, and always a backslash or an equals sign first."""
    return "$" in text or not ("\\" in text or "=" in text)


def converted(latex: str, display: str) -> str:
    """LaTeX as MathML; the LaTeX itself where there is no converter."""
    try:
        from latex2mathml.converter import convert
    except ImportError:
        return f"<code>{escape(latex)}</code>"
    return convert(latex, display=display)


def as_html(lines: list[str]) -> str:
    """Lines as HTML."""
    parts = []
    for line in lines:
        if is_words(line):
            pieces = line.split("$")
            inside = "".join(escape(p) if k % 2 == 0 else converted(p, "inline") for k, p in enumerate(pieces))
            parts.append(f"<p>{inside}</p>")
        else:
            pieces = line.split(r",\qquad ")
            parts.append(f'<div class="together">{"".join(converted(p, "block") for p in pieces)}</div>')
    return "".join(parts)
