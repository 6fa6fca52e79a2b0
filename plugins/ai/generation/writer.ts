import type { ExtensionHost, RestRequest } from 'pentad'
import { createFence, type Fence } from '../fence.ts'
import type { ModelCaller, Providers } from '../providers/types.ts'
import type { AiSettings } from '../settings.ts'
import { voice } from './voice.ts'

/** What the generation routes share. */
export interface Writer {
  readonly providers: Providers
  /** Begins the prompt of one request: how to write and what is data. */
  begin(
    request: Pick<RestRequest, 'user' | 'signal'>,
    operation: string,
    options?: { readonly tone?: string | undefined },
  ): {
    readonly caller: ModelCaller
    readonly fence: Fence
    /** @param task what the model is, and what to answer with */
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
