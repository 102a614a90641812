/** What pages of shared devices and of staff sign in with. */
export { Device, told } from "./device.js"
export { type Ending, Person } from "./person.js"
export { type Brought, broughtBack, finish, leaveFor, providerNote } from "./provider.js"
