import { toggle } from 'pentad'
import { z } from 'zod'
import { BLOCKABLE } from './blockable-crawlers.ts'

const LONGEST = 20_000
/** A rule, a comment or an empty line: RFC 9309, 2.2. Other fields, such as Crawl-delay, are allowed. */
const LINE = /^\s*(?:#.*|[a-z][a-z-]*\s*:.*)?$/i
const CONTROL_CHARACTERS = /[^\P{Cc}\t\n]|[\u2028\u2029]/u

const rules = z
  .string()
  .max(LONGEST)
  .transform((text) => text.replaceAll(/\r\n?/g, '\n').trim())
  .refine((text) => !CONTROL_CHARACTERS.test(text), 'It must not contain control characters.')
  .refine(
    (text) => text.split('\n').every((line) => LINE.test(line)),
    'Each line must be a rule such as Disallow: /private/.',
  )
  // Otherwise the lines that follow would become its rules.
  .refine(
    (text) => !/(?:^|\n)\s*user-agent\s*:[^\n]*$/i.test(text),
    'Each User-agent line must be followed by its rules.',
  )

export const robotsTxtSettings = {
  robotsTxt: rules.default('').meta({
    title: 'Custom robots.txt rules',
    description: 'Added to robots.txt. Rules before the first User-agent line apply to all crawlers.',
    group: 'robots',
  }),
  blockedCrawlers: z.array(z.enum(BLOCKABLE)).max(BLOCKABLE.length).default([]).meta({
    title: 'Blocked AI crawlers',
    description:
      'AI crawlers to disallow in robots.txt. Blocking Google-Extended or Applebot-Extended only opts your site out of AI training.',
    group: 'robots',
  }),
  blockAiTraining: toggle(
    'off',
    'Block AI training',
    'Disallows crawlers that collect AI training data, through robots.txt.',
    'robots',
  ),
}
