import type { Fault } from './fault.ts'
import { BACKGROUND_FAULTS } from './faults/background.ts'
import { PAGE_FAULTS } from './faults/pages.ts'
import { requestFaults } from './faults/requests.ts'

/** Password of the administrator of the site that the faults are tried on. */
export const PASSWORD = 'quiet orchard lantern'

export const FAULTS: readonly Fault[] = [...PAGE_FAULTS, ...requestFaults(PASSWORD), ...BACKGROUND_FAULTS]
