import { z } from 'zod'
import { POLICY_MODES } from './content-security-policy.ts'
import { DEFAULT_THEME, THEME_NAME } from './theme/theme.ts'

/** Settings of the host that the CMS adds. */
export const siteSettings = {
  theme: z.string().regex(THEME_NAME).default(DEFAULT_THEME).meta({
    title: 'Theme',
    description: 'Folder name of the active theme in themes/. If the folder does not exist, the default theme is used.',
  }),
  contentSecurityPolicy: z.enum(POLICY_MODES).default('report-only').meta({
    title: 'Content security policy',
    description:
      'Blocks scripts that were not added by the theme or an extension. Use “Report only” to see in the browser console what “Enforce” would block.',
  }),
  twoFactorRoles: z.array(z.string().max(60)).max(100).default([]).meta({
    title: 'Require two-factor authentication',
    description:
      'Users with one of these roles must set up an authenticator app the next time they log in, unless they have a passkey.',
  }),
  emptyTrashDays: z.int().min(0).max(3650).default(30).meta({
    title: 'Empty trash after (days)',
    description:
      'Permanently deletes posts in the trash, and comments in the trash or spam, after this time. Use 0 to keep them until you delete them.',
  }),
}
