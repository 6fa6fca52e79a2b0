import { z } from 'zod'
import type { Auth } from '../../../core/auth/types.ts'
import type { Hooks } from '../../../core/hooks/types.ts'
import { currentRequest } from '../../../core/http/request-context.ts'
import type { Themes } from './theme.ts'

interface Parts {
  readonly hooks: Hooks
  readonly auth: Pick<Auth, 'requireConfirmation' | 'securityLog'>
  readonly themes: Pick<Themes, 'isUntrusted' | 'trust'>
}

const settingsSchema = z.object({ theme: z.string().optional() })

/**
 * Requires the current password to activate a theme from a backup not signed by this site, because templates are code.
 * Checked in the settings, so that it covers routes, abilities and extensions.
 */
export function guardThemeSwitch({ hooks, auth, themes }: Parts): void {
  const themeOf = (settings: unknown) => settingsSchema.parse(settings).theme

  hooks.addAction('host_settings_update:before', async function confirmForeignTheme(changes) {
    const theme = themeOf(changes)
    if (theme === undefined || !themes.isUntrusted(theme)) return
    const request = currentRequest()
    // Outside of requests it is the command line or the process itself.
    if (request) await auth.requireConfirmation(request.identity)
    await themes.trust(theme)
  })
  hooks.addAction('host_settings_update:after', async function recordThemeSwitch(settings, previous) {
    const [from = '', to = ''] = [themeOf(previous), themeOf(settings)]
    if (from !== to) await auth.securityLog.record('theme_switched', { detail: { from, to } })
  })
}
