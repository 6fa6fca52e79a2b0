import { z } from 'zod'

export const copilotSettings = {
  copilotMaxSteps: z.int().min(1).max(50).default(12).meta({
    title: 'Copilot step limit',
    description:
      'Maximum number of model calls per message. In the last one, the copilot has to reply. More steps allow larger tasks and use more tokens.',
    group: 'copilot',
  }),
}
