import { createScripts, defineExtension, settingsRoute } from 'pentad'
import { registerAbilities } from './abilities.ts'
import { registerAssets } from './assets/index.ts'
import { filterShapes as frontendFilters } from './frontend/hooks.ts'
import { registerFrontend } from './frontend/index.ts'
import { filterShapes } from './hooks.ts'
import { registerManifest } from './manifest/index.ts'
import { filterShapes as pushFilters } from './push/hooks.ts'
import { registerPush } from './push/index.ts'
import { registerScore } from './score/index.ts'
import { settingsSchema } from './settings.ts'
import { createCountries } from './users/country.ts'
import { registerUsers } from './users/index.ts'
import { createVisitors } from './users/visitor.ts'
import { filterShapes as workerFilters } from './worker/hooks.ts'
import { registerServiceWorker } from './worker/index.ts'

/** The PWA service: manifest, icons, offline pages, push notifications (`pwa/v1`). */
export default defineExtension({
  id: 'pwa',
  name: 'PWA',
  version: '1.0.0-beta.1',
  description: 'Turns the site into an app that visitors can install, with offline support and push notifications.',
  async setup(host) {
    host.hooks.declareFilters({ ...filterShapes, ...frontendFilters, ...pushFilters, ...workerFilters })
    const settings = host.settings.register(settingsSchema)
    host.rest.registerRoute('pwa/v1', settingsRoute(settings))
    const assets = registerAssets(host, settings.get)
    registerManifest(host, { settings: settings.get, assets })
    registerScore(host, { settings: settings.get, assets })
    const visitors = createVisitors(createCountries(), () => settings.get().countryHeader)
    const push = await registerPush(host, { settings: settings.get, visitors })
    await registerUsers(host, { visitors })
    const scripts = createScripts(host, 'pwa/scripts')
    const worker = registerServiceWorker(host, { settings: settings.get, scripts, assets, push })
    registerFrontend(host, { settings: settings.get, scripts, worker, push })
    registerAbilities(host)
  },
})
