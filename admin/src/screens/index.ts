import { can, hasService } from '../page-data.ts'
import { aiScreens } from './ai/screens.ts'
import { backupScreens } from './backup/screens.ts'
import { commentScreens } from './comments/screens.ts'
import { contentScreens } from './content/screens.ts'
import { dashboardScreens } from './dashboard/screens.ts'
import { extensionPageScreens, extensionScreens } from './extensions/screens.ts'
import { mediaScreens } from './media/screens.ts'
import { menuScreens } from './menus/screens.ts'
import { performanceScreens } from './performance/screens.ts'
import { pwaScreens } from './pwa/screens.ts'
import type { Screen } from './screen.ts'
import { seoScreens } from './seo/screens.ts'
import { settingsScreens } from './settings/screens.ts'
import { termScreens } from './terms/screens.ts'
import { toolScreens } from './tools/screens.ts'
import { userScreens } from './users/screens.ts'

/** Every screen, in the order of the navigation; each folder lists its own. */
const OWN: readonly Screen[] = [
  ...dashboardScreens,
  ...contentScreens,
  ...mediaScreens,
  ...commentScreens,
  ...termScreens,
  ...backupScreens,
  ...performanceScreens,
  ...aiScreens,
  ...seoScreens,
  ...pwaScreens,
  ...menuScreens,
  ...userScreens,
  ...toolScreens,
  ...extensionScreens,
  ...settingsScreens,
]

const ALL: readonly Screen[] = [...OWN, ...extensionPageScreens(OWN)]

/** Those that this user may open on this site. */
export const screens: readonly Screen[] = ALL.filter(({ capability, service }) => {
  if (service !== undefined && !hasService(service)) return false
  if (capability === undefined) return true
  return typeof capability === 'string' ? can(capability) : can(...capability)
})
