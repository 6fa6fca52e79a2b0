import { toggle } from 'pentad'

export const llmsTxtSettings = {
  llmsTxt: toggle(
    'on',
    'llms.txt',
    'Publishes an index of the most important pages for AI assistants at /llms.txt.',
    'assistants',
  ),
}
