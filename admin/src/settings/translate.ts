import { __ } from '../i18n.ts'
import { NAMES, plainWordsOf, type SettingSchema } from './schema.ts'

/** The label of a value for which the screen has none, in the language of the admin. */
export function wordsOf(value: string | number): string {
  const words = plainWordsOf(value)
  return words === undefined ? (NAMES[value] ?? String(value)) : __(words, 'pentad')
}

/** The settings of a record in the language of the admin: the server sends English texts. Those of extensions stay as they are. */
export function translateSettings(
  properties: Readonly<Record<string, SettingSchema>>,
): Readonly<Record<string, SettingSchema>> {
  return Object.fromEntries(
    Object.entries(properties).map(([key, schema]) => {
      const { title, description } = schema
      return [
        key,
        {
          ...schema,
          ...(title && { title: __(title, 'pentad') }),
          ...(description && { description: __(description, 'pentad') }),
        },
      ]
    }),
  )
}
