import { z } from 'zod'
import { copilotSettings } from './copilot/settings.ts'
import { generationSettings } from './generation/settings.ts'
import { helpdeskSettings } from './helpdesk/settings.ts'
import { providerSettings } from './providers/settings.ts'
import { relatedSettings } from './related/settings.ts'
import { webMcpSettings } from './webmcp/settings.ts'

/** Settings of the AI service: `PUT /ai/v1/settings`. Each part defines its own. */
export const settingsSchema = z.object({
  ...providerSettings,
  ...generationSettings,
  ...copilotSettings,
  ...helpdeskSettings,
  ...relatedSettings,
  ...webMcpSettings,
})

export type AiSettings = z.output<typeof settingsSchema>
