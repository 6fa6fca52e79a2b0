import { line } from 'pentad'
import { z } from 'zod'

/** A key as it is pasted: white space around it goes; nothing that can't be in a header. */
function key(title: string, boundTo?: readonly string[]) {
  return z
    .string()
    .trim()
    .max(1000)
    .regex(/^[\x21-\x7e]*$/, 'It must be one word of letters, digits and signs.')
    .default('')
    .meta({ title, group: 'providers', secret: true, ...(boundTo && { boundTo }) })
}

/** Which models are asked, and with whose keys. */
export const providerSettings = {
  openaiApiKey: key('OpenAI: API key'),
  anthropicApiKey: key('Anthropic: API key'),
  googleApiKey: key('Google: API key'),
  compatibleApiKey: key('Compatible server: API key', ['compatibleBaseUrl']),
  // An address of this machine or its network is welcome: Ollama, LM Studio and vLLM run there, and only an administrator
  // can enter it. No other address that the service asks is of anybody's choosing.
  compatibleBaseUrl: z
    .union([
      z.literal(''),
      z
        .url({ protocol: /^https?$/, error: 'It must be an address such as http://127.0.0.1:11434/v1.' })
        .max(500)
        .refine((url) => !/^[^/]*\/\/[^/]*@/.test(url), 'It must not hold a user name or a password.')
        .refine((url) => !/[?#]/.test(url), 'It must end with its path.'),
    ])
    .default('')
    .meta({
      title: 'Compatible server: address',
      description: "Where a server that speaks OpenAI's protocol answers, up to and with /v1.",
      // Whoever chooses the address gets the key and all that is asked. As it is in one group with the keys, programs
      // neither see nor change it.
      group: 'providers',
    }),
  textModel: line(200).default('').meta({
    title: 'Text model',
    description:
      'Such as anthropic/claude-sonnet-5-5 or compatible/llama3.3; empty for the usual one of the first provider.',
    group: 'models',
  }),
  imageModel: line(200).default('').meta({
    title: 'Image model',
    description: 'Such as openai/gpt-image-2.5-sunburst; empty for the usual one.',
    group: 'models',
  }),
  embeddingModel: line(200).default('').meta({
    title: 'Embedding model',
    description: 'What related posts are found with, such as compatible/nomic-embed-text; empty for the usual one.',
    group: 'models',
  }),
  temperature: z
    .number()
    .min(0)
    .max(2)
    .default(0.7)
    .meta({ title: 'Temperature', description: 'From 0, sober, to 2, wild. Some models have none.', group: 'models' }),
  timeoutSeconds: z
    .int()
    .min(1)
    // Node's fetch waits no longer for the first byte.
    .max(300)
    .default(60)
    .meta({ title: 'Time limit', description: 'Seconds that a model may take for one answer.', group: 'models' }),
  dailyTokenLimit: z.int().min(0).default(2_000_000).meta({
    title: 'Daily token limit',
    description:
      'Tokens that the whole site may use in a day (UTC), so that a runaway script or a stolen password costs a known sum at most; 0 for no limit.',
    group: 'models',
  }),
  monthlyTokenLimit: z.int().min(0).default(0).meta({
    title: 'Tokens a month',
    description: 'What the whole site may use in a calendar month (UTC), visitors at most half of it; 0 for no limit.',
    group: 'models',
  }),
}
