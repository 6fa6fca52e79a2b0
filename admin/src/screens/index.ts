import { can, hasService } from '../page-data.ts'
import { pluginAdmins } from '../plugins/admins.ts'
import { appearanceScreens } from './appearance/screens.ts'
import { commentScreens } from './comments/screens.ts'
import { contentScreens } from './content/screens.ts'
import { dashboardScreens } from './dashboard/screens.ts'
import { extensionPageScreens, extensionScreens } from './extensions/screens.ts'
import { mediaScreens } from './media/screens.ts'
import { menuScreens } from './menus/screens.ts'
import { privacyScreens } from './privacy/screens.ts'
import type { Screen } from './screen.ts'
import { settingsScreens } from './settings/screens.ts'
import { setupScreens } from './setup/screens.ts'
import { termScreens } from './terms/screens.ts'
import { toolScreens } from './tools/screens.ts'
import { userScreens } from './users/screens.ts'

/** In the order of the navigation; each folder lists its own. */
const OWN: readonly Screen[] = [
  ...dashboardScreens,
  ...contentScreens,
  ...mediaScreens,
  ...commentScreens,
  ...termScreens,
  ...appearanceScreens,
  ...menuScreens,
  ...userScreens,
  ...toolScreens,
  ...extensionScreens,
  ...settingsScreens,
  ...setupScreens,
  ...privacyScreens,
]

const SERVICES = pluginAdmins.flatMap(({ id, screens }) => screens.map((screen) => ({ ...screen, service: id })))
const MADE: readonly Screen[] = [...OWN, ...SERVICES]
const ALL: readonly Screen[] = [...MADE, ...extensionPageScreens(MADE)]

/** The screens that this user may open on this site. */
export const screens: readonly Screen[] = ALL.filter(({ capability, service }) => {
  if (service !== undefined && !hasService(service)) return false
  if (capability === undefined) return true
  return typeof capability === 'string' ? can(capability) : can(...capability)
})
