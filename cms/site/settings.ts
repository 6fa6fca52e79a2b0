import { z } from 'zod'
import { POLICY_MODES } from './content-security-policy.ts'
import { DEFAULT_THEME, THEME_NAME } from './theme/theme.ts'

/** What the public site adds to the settings of the host. */
export const siteSettings = {
  theme: z
    .string()
    .regex(THEME_NAME)
    .default(DEFAULT_THEME)
    .meta({ title: 'Theme', description: 'Name of a folder in themes/; without such a folder, the default theme.' }),
  contentSecurityPolicy: z.enum(POLICY_MODES).default('report-only').meta({
    title: 'Content security policy',
    description:
      'Whether browsers block scripts that neither the theme nor an extension added. “report-only” shows in the browser console what “enforce” would block.',
  }),
}
