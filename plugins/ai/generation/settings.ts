import { line } from 'pentad'

/** Language and tone of generated text. */
export const generationSettings = {
  language: line(60).default('').meta({
    title: 'Content language',
    description:
      'Language of generated text, such as de or Brazilian Portuguese. Leave empty to use the site language.',
    group: 'writing',
  }),
  tone: line(100).default('').meta({
    title: 'Tone of voice',
    description: 'Tone of generated text, such as friendly or formal. Leave empty for a neutral tone.',
    group: 'writing',
  }),
}
