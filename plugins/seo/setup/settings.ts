import { z } from 'zod'

export const setupSettings = {
  setup: z
    .object({
      completedAt: z.iso.datetime().nullable(),
      answers: z.record(z.string(), z.json()),
    })
    .default({ completedAt: null, answers: {} })
    .meta({ title: 'Setup wizard', description: 'When the wizard was completed, and its answers.', group: 'setup' }),
}
