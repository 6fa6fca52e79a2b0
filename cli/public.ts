/** The public API of the command line: what commands of plugins may import in addition to `pentad`, as `pentad/cli`. */
export type { Site } from '../app/create-site.ts'
export { ownCommand } from '../app/own-command.ts'
export { callRoute } from './call-route.ts'
export { type ClosedSite, closedSite } from './closed-site.ts'
export { type Commands, defineCommands } from './define-commands.ts'
export { createProgress } from './progress.ts'
export { withHost } from './with-host.ts'
export { readWordPressOptions } from './wordpress-options.ts'
