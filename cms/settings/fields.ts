import { z } from 'zod'

/** Longest text that a setting takes where nothing else is said. */
const LONGEST_TEXT = 300

const CONTROL_CHARACTERS = /[\p{Cc}\u2028\u2029]/u
/** All but line feeds and tabs. */
const NOT_IN_LINES = /[\p{Cc}--[\n\t]]/gv

/** An on/off setting of a service, with its texts for the settings page. */
export function toggle(initial: 'on' | 'off', title: string, description: string, group: string) {
  return z.enum(['on', 'off']).default(initial).meta({ title, description, group })
}

/** One line of text for people, as a setting: trimmed, without control characters. */
export const line = (longest = LONGEST_TEXT) =>
  z
    .string()
    .trim()
    .max(longest)
    .refine((text) => !CONTROL_CHARACTERS.test(text), 'It must be one line without control characters.')

/** Multi-line plain text: trimmed, without invisible characters. */
export const lines = (longest: number) =>
  z
    .string()
    .max(longest)
    .transform((text) => text.replaceAll('\r\n', '\n').replace(NOT_IN_LINES, '').trim())
