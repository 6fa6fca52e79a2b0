import type { ExtensionHost, RestRequest } from 'pentad'
import { createFence, type Fence } from '../fence.ts'
import type { ModelCaller, Providers } from '../providers/types.ts'
import type { AiSettings } from '../settings.ts'
import { voice } from './voice.ts'

/** Shared parts of the generation routes. */
export interface Writer {
  readonly providers: Providers
  /** Creates the prompt of one request: language, tone and fenced data. */
  begin(
    request: Pick<RestRequest, 'user' | 'signal'>,
    operation: string,
    options?: { readonly tone?: string | undefined },
  ): {
    readonly caller: ModelCaller
    readonly fence: Fence
    /** @param task role of the model and format of the answer */
    instructions(task: string): string
  }
}

export function createWriter(
  { content }: Pick<ExtensionHost, 'content'>,
  { providers, settings }: { providers: Providers; settings: () => AiSettings },
): Writer {
  return {
    providers,
    begin({ user, signal }, operation, { tone } = {}) {
      const fence = createFence()
      const { language, tone: usualTone } = settings()
      const manner = voice(language, content.siteSettings().language, tone || usualTone)
      return {
        caller: { operation, userId: user?.id ?? null, signal },
        fence,
        instructions: (task) => [task, manner, fence.rule].join('\n'),
      }
    },
  }
}
