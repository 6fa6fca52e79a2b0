import { line } from 'pentad'
import { z } from 'zod'

/** An API key, trimmed; only characters allowed in a header. */
function key(title: string, boundTo?: readonly string[]) {
  return z
    .string()
    .trim()
    .max(1000)
    .regex(/^[\x21-\x7e]*$/, 'It must not contain spaces or control characters.')
    .default('')
    .meta({ title, group: 'providers', secret: true, ...(boundTo && { boundTo }) })
}

/** Models and API keys. */
export const providerSettings = {
  openaiApiKey: key('OpenAI API key'),
  anthropicApiKey: key('Anthropic API key'),
  googleApiKey: key('Google API key'),
  compatibleApiKey: key('OpenAI-compatible server API key', ['compatibleBaseUrl']),
  // Local and private addresses are allowed: Ollama, LM Studio and vLLM run there, and only administrators can change the
  // setting. All other URLs that the service requests are fixed.
  compatibleBaseUrl: z
    .union([
      z.literal(''),
      z
        .url({ protocol: /^https?$/, error: 'It must be a URL such as http://127.0.0.1:11434/v1.' })
        .max(500)
        .refine((url) => !/^[^/]*\/\/[^/]*@/.test(url), 'It must not contain a username or password.')
        .refine((url) => !/[?#]/.test(url), 'It must not contain a query string or fragment.'),
    ])
    .default('')
    .meta({
      title: 'OpenAI-compatible server URL',
      description: 'Base URL of a server with an OpenAI-compatible API, including /v1.',
      // The server receives the key and all prompts. In the group of the keys, so that abilities can neither read nor
      // change it.
      group: 'providers',
    }),
  textModel: line(200).default('').meta({
    title: 'Text model',
    description:
      'Model for text, such as anthropic/claude-sonnet-5-5 or compatible/llama3.3. Leave empty to use the default of the first connected provider.',
    group: 'models',
  }),
  imageModel: line(200).default('').meta({
    title: 'Image model',
    description: 'Model for images, such as openai/gpt-image-2.5-sunburst. Leave empty to use the default.',
    group: 'models',
  }),
  embeddingModel: line(200).default('').meta({
    title: 'Embedding model',
    description:
      'Model for finding related posts, such as compatible/nomic-embed-text. Leave empty to use the default.',
    group: 'models',
  }),
  temperature: z.number().min(0).max(2).default(0.7).meta({
    title: 'Temperature',
    description: 'Randomness of generated text: 0 is precise, 2 is creative. Some models ignore it.',
    group: 'models',
  }),
  timeoutSeconds: z
    .int()
    .min(1)
    // The maximum time that Node's fetch waits for the first byte.
    .max(300)
    .default(60)
    .meta({
      title: 'Response timeout',
      description: 'Maximum time to wait for a response from a model, in seconds.',
      group: 'models',
    }),
  dailyTokenLimit: z.int().min(0).default(2_000_000).meta({
    title: 'Daily token limit',
    description:
      'Maximum number of tokens that the site can use per day (UTC). Protects against unexpected costs. Enter 0 for no limit.',
    group: 'models',
  }),
  monthlyTokenLimit: z.int().min(0).default(0).meta({
    title: 'Monthly token limit',
    description:
      'Maximum number of tokens that the site can use per calendar month (UTC). Visitors can use up to half of them. Enter 0 for no limit.',
    group: 'models',
  }),
}
