import { line } from 'pentad'

/** How the site sounds. */
export const generationSettings = {
  language: line(60).default('').meta({
    title: 'Language',
    description: "What is written in, such as de or Brazilian Portuguese; empty for the site's language.",
    group: 'writing',
  }),
  tone: line(100)
    .default('')
    .meta({ title: 'Tone', description: 'Such as friendly and plain; empty for a neutral one.', group: 'writing' }),
}
