import { z } from 'zod'

export const copilotSettings = {
  copilotMaxSteps: z.int().min(1).max(50).default(12).meta({
    title: 'Steps of the copilot',
    description: 'How many times the model may look something up or prepare changes before it has to answer.',
    group: 'copilot',
  }),
}
