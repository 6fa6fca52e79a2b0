import { can, hasService } from '../page-data.ts'
import { backupScreens } from './backup/screens.ts'
import { dashboardScreens } from './dashboard/screens.ts'
import type { Screen } from './screen.ts'

/** Every screen, in the order of the navigation; each folder lists its own. */
const ALL: readonly Screen[] = [...dashboardScreens, ...backupScreens]

/** Those that this user may open on this site. */
export const screens: readonly Screen[] = ALL.filter(({ capability, service }) => {
  if (service !== undefined && !hasService(service)) return false
  if (capability === undefined) return true
  return typeof capability === 'string' ? can(capability) : can(...capability)
})
