import { z } from 'zod'

export const setupSettings = {
  setup: z
    .object({
      completedAt: z.iso.datetime().nullable(),
      answers: z.record(z.string(), z.json()),
    })
    .default({ completedAt: null, answers: {} })
    .meta({ title: 'Setup', description: 'When the wizard was finished, and what was answered.', group: 'setup' }),
}
