import { join } from 'node:path'

/** The AI service, to be loaded into a test host. */
export const AI = join(import.meta.dirname, '../../plugins/ai')
