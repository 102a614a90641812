import { enter } from "../../console/access/gate.js"

// Whoever reads this has a browser that understands it.
document.getElementById("old")?.remove()
void enter(document.getElementById("console")!)
