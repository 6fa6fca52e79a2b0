/** The public API of the command line: what commands of plugins may import in addition to `pentad`, as `pentad/cli`. */
export type { Site } from '../app/create-site.ts'
export { callRoute } from './call-route.ts'
export { type ClosedSite, closedSite } from './closed-site.ts'
export { type Checks, type Commands, defineChecks, defineCommands } from './define-commands.ts'
export { type DoctorCheck, type ExaminedSite, error, type Finding, ok, warning } from './doctor/types.ts'
export { createProgress } from './progress.ts'
export { withHost } from './with-host.ts'
export { readWordPressOptions } from './wordpress-options.ts'
