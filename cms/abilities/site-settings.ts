import { z } from 'zod'
import type { User } from '../../core/auth/types.ts'
import { RestError } from '../../core/errors.ts'
import { toJson } from '../../core/options/json.ts'
import type { SettingsRegistry } from '../../core/options/types.ts'
import type { Rest } from '../../core/rest/types.ts'
import { asCaller } from './as-caller.ts'
import type { Abilities } from './types.ts'

/** The name under which abilities know WordPress's own settings, `wp/v2/settings`. */
const SITE = 'site'

const record = z.record(z.string(), z.json())
type Values = z.output<typeof record>

const name = z.string().default(SITE).describe('“site” for the site settings, or the ID of a service or extension.')

/** Properties of a settings key in its JSON Schema. */
const described = z.object({
  title: z.string().optional(),
  description: z.string().optional(),
  secret: z.boolean().default(false),
  group: z.string().optional(),
})

interface Shown {
  readonly values: Values
  readonly about: Readonly<Record<string, z.output<typeof described>>>
}

/**
 * Abilities that read and change settings. They exclude secret keys and all other keys of the same group, which contain the address to
 * which a secret is sent, so that a prompt injection can neither read nor redirect a secret.
 */
export function registerSettingsAbilities(
  abilities: Pick<Abilities, 'register'>,
  { rest, settings }: { rest: Pick<Rest, 'dispatch'>; settings: SettingsRegistry },
): void {
  async function show(name: string, caller: User | null): Promise<Shown> {
    if (name === SITE) return { values: record.parse(await asCaller(rest, caller).read('/wp/v2/settings')), about: {} }
    const found = settings.get(name)
    if (!found) throw notFound([SITE, ...settings.names()])
    const about = z.object({ properties: z.record(z.string(), described) }).parse(found.jsonSchema()).properties
    const guarded = new Set(Object.values(about).flatMap(({ secret, group }) => (secret ? [group] : [])))
    const shown = Object.entries(found.masked()).filter(([key, value]) => {
      const known = about[key]
      return known && !guarded.has(known.group) && value !== undefined
    })
    return { values: record.parse(Object.fromEntries(shown)), about }
  }

  /** @throws RestError 400 `rest_invalid_param` for keys that are not there, or not for programs */
  function rejectHidden({ values }: Shown, changes: object): void {
    const hidden = Object.keys(changes).filter((key) => !Object.hasOwn(values, key))
    if (hidden.length === 0) return
    const message = `These settings do not exist or cannot be changed by AI agents: ${hidden.join(', ')}.`
    throw new RestError('rest_invalid_param', message, { status: 400 })
  }

  abilities.register({
    name: 'core/get-settings',
    label: 'Read settings',
    description: 'Reads the settings of the site, a service, or an extension, with their descriptions.',
    category: 'site',
    input: z.object({ name }),
    output: z.object({
      settings: z.array(
        z.object({
          key: z.string(),
          value: z.json(),
          title: z.string(),
          description: z.string().describe('Description of the setting.'),
        }),
      ),
    }),
    permission: 'manage_options',
    readonly: true,
    async execute({ name }, caller) {
      const { values, about } = await show(name, caller)
      return {
        settings: Object.entries(values).map(([key, value]) => {
          const { title = key, description = '' } = about[key] ?? {}
          return { key, value, title, description }
        }),
      }
    },
  })

  abilities.register({
    name: 'core/change-settings',
    label: 'Change settings',
    description: 'Updates settings of the site, a service, or an extension. Read them first.',
    category: 'site',
    input: z.object({
      name,
      changes: z.record(z.string(), z.unknown()).describe('New values by key; other keys stay unchanged.'),
    }),
    output: z.object({ updated: z.array(z.string()) }),
    permission: 'manage_options',
    readonly: false,
    idempotent: true,
    async execute({ name, changes }, caller) {
      rejectHidden(await show(name, caller), changes)
      if (name === SITE) await asCaller(rest, caller).write('POST', '/wp/v2/settings', changes)
      else await settings.get(name)?.update(changes)
      return { updated: Object.keys(changes) }
    },
    async preview({ name, changes }, caller) {
      const shown = await show(name, caller)
      rejectHidden(shown, changes)
      const keys = Object.keys(changes)
      return {
        target: { type: 'settings', id: name, title: name },
        summary: `Change ${new Intl.ListFormat('en').format(keys.map((key) => shown.about[key]?.title ?? key))} in the settings of ${name}.`,
        before: Object.fromEntries(keys.map((key) => [key, shown.values[key] ?? null])),
        after: Object.fromEntries(keys.map((key) => [key, toJson(changes[key], key)])),
      }
    },
  })
}

function notFound(names: readonly string[]): RestError {
  const message = `There are no settings with that name. Available settings: ${names.join(', ')}.`
  return new RestError('settings_not_found', message, { status: 404 })
}
