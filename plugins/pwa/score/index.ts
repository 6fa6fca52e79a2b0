import { type ExtensionHost, success, successSchema } from 'pentad'
import type { Assets } from '../assets/index.ts'
import { findImages } from '../manifest/images.ts'
import type { PwaSettings } from '../settings.ts'
import { scoreOf, scoreShape } from './score.ts'

/** `GET /pwa-score/fetch`: the PWA score. Missing items require an active license. */
export function registerScore(
  host: ExtensionHost,
  { settings, assets }: { settings: () => PwaSettings; assets: Pick<Assets, 'check'> },
): void {
  host.rest.registerRoute('pwa/v1', {
    method: 'GET',
    path: '/pwa-score/fetch',
    access: 'manage_options',
    summary: "Returns the site's PWA score as a percentage.",
    response: successSchema(scoreShape),
    async handler({ user }) {
      const current = settings()
      const [{ icons, splashScreens }, images] = await Promise.all([
        assets.check(),
        findImages(host, [current.appIcon]),
      ])
      const { missing, ...score } = scoreOf({
        settings: current,
        url: host.site.url,
        hasAssets: icons.exists && splashScreens.exists,
        hasAppIcon: images.has(current.appIcon),
      })
      if (!host.license.active) return success(score)
      const { __ } = await host.textsFor(user)
      const actionItems = missing.map((item) => ({
        ...item,
        title: __(item.title),
        description: __(item.description),
      }))
      return success({ ...score, actionItems })
    },
  })
}
