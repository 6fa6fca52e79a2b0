import type { DispatchLimits } from './types.ts'

/** For hooks that tell of what is stored: an extension that fails then does not make a success look like a refusal. */
export const DONE: DispatchLimits = { refusable: false }
