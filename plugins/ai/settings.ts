import { z } from 'zod'

/** Settings of the AI service (contract 7): `PUT /ai/v1/settings`. Each part has its own among its files. */
export const settingsSchema = z.object({})

export type AiSettings = z.output<typeof settingsSchema>
