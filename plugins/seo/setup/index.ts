import { type ExtensionHost, type Settings, success } from 'pentad'
import { z } from 'zod'

/** `POST /setup/complete`: the answers of the wizard, kept and put into effect. */
export function registerSetup(
  host: ExtensionHost,
  { settings }: { settings: Pick<Settings, 'jsonSchema' | 'update'> },
): void {
  host.rest.registerRoute('seo/v1', {
    method: 'POST',
    path: '/setup/complete',
    access: 'manage_options',
    summary: 'Marks the setup wizard as finished, keeps the answers and sets the settings that they name.',
    input: z.object({
      answers: z.record(z.string(), z.json()).meta({
        description: 'By name; one that is the name of a setting also sets it. One that is wrong: none is kept.',
      }),
    }),
    async handler({ input: { answers } }) {
      const completedAt = new Date().toISOString()
      const { named, kept } = sortAnswers(answers, settings.jsonSchema())
      // One write: it takes effect as a whole or not at all.
      await settings.update({ ...named, setup: { completedAt, answers: kept } })
      return success({ completed: true, completedAt })
    },
  })
}

type Answers = Readonly<Record<string, z.core.util.JSONType>>

/** Which answers are settings, and which are kept as answers: all, except secrets, which the settings encrypt. */
function sortAnswers(
  answers: Answers,
  jsonSchema: Readonly<Record<string, unknown>>,
): { named: Answers; kept: Answers } {
  const { properties } = z
    .object({ properties: z.record(z.string(), z.looseObject({ secret: z.boolean().optional() })) })
    .parse(jsonSchema)
  const entries = Object.entries(answers)
  return {
    named: Object.fromEntries(entries.filter(([name]) => name !== 'setup' && Object.hasOwn(properties, name))),
    kept: Object.fromEntries(entries.filter(([name]) => properties[name]?.secret !== true)),
  }
}
