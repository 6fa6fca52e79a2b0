import { z } from 'zod'

export const copilotSettings = {
  copilotMaxSteps: z.int().min(1).max(50).default(12).meta({
    title: 'Copilot step limit',
    description:
      'Maximum number of model calls per message. On the last call, the copilot must reply. More steps allow larger tasks and use more tokens.',
    group: 'copilot',
  }),
}
