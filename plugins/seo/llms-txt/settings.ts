import { toggle } from 'pentad'

export const llmsTxtSettings = {
  llmsTxt: toggle('on', 'llms.txt', 'Names the most important pages to assistants, at /llms.txt.', 'assistants'),
}
