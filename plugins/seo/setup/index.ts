import { type ExtensionHost, type Settings, success, successSchema } from 'pentad'
import { z } from 'zod'
import { settingsSchema } from '../settings.ts'
import { SETUP_STEPS } from './steps.ts'

const setupResponse = successSchema(
  z.object({
    completedAt: z.string().nullable(),
    steps: z.array(
      z.object({
        ...{ id: z.string(), title: z.string(), description: z.string() },
        settings: z.array(z.string()).describe('Names of the settings in this step.'),
      }),
    ),
  }),
)

/** `GET /setup`: the steps of the wizard; `POST /setup/complete`: stores and applies the answers. */
export function registerSetup(
  host: ExtensionHost,
  { settings }: { settings: Pick<Settings<typeof settingsSchema>, 'get' | 'update'> },
): void {
  host.rest.registerRoute('seo/v1', {
    method: 'GET',
    path: '/setup',
    access: 'manage_options',
    summary: 'Returns the steps of the setup wizard and when it was completed.',
    response: setupResponse,
    handler: () => success({ completedAt: settings.get().setup.completedAt, steps: SETUP_STEPS }),
  })
  host.rest.registerRoute('seo/v1', {
    method: 'POST',
    path: '/setup/complete',
    access: 'manage_options',
    summary: 'Completes the setup wizard: stores the answers, and updates the settings that they name.',
    input: z.object({
      answers: z.record(z.string(), z.json()).meta({
        description:
          'Answers by name. An answer with the name of a setting updates it. If one is invalid, nothing is stored.',
      }),
    }),
    response: successSchema(z.object({ completed: z.literal(true), completedAt: z.string() })),
    async handler({ input: { answers } }) {
      const completedAt = new Date().toISOString()
      const named = Object.entries(answers).filter(([name]) => Object.hasOwn(settingsSchema.shape, name))
      // One write: all or nothing.
      await settings.update({ ...Object.fromEntries(named), setup: { completedAt, answers } })
      return success({ completed: true, completedAt })
    },
  })
}
