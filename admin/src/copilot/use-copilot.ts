import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { ApiError } from '../api/error.ts'
import { invalidate, useChange, useList, useRead } from '../api/query.ts'
import { change } from '../api/rest.ts'
import type { Change, Conversation, CopilotRequest, Message, Progress } from '../screens/ai/routes.ts'
import { setPanel, usePanelState } from './panel-state.ts'
import type { ShownScreen } from './use-screen.ts'

const EVERY_MS = 600
/** As many as the route takes. */
const MOST_POSTS = 10

/** A message to the copilot. */
export interface Asked {
  readonly message: string
  /** What the user looks at, where they tell. */
  readonly screen: ShownScreen | undefined
  /** Ids of posts that are mentioned. */
  readonly mentions: readonly number[]
}

/** A conversation with the copilot: what was said, what is being worked on, and what to say next. */
export function useCopilot() {
  const client = useQueryClient()
  const { conversationId } = usePanelState()
  const [requestId, setRequestId] = useState<string>()
  const [isTruncated, setTruncated] = useState(false)

  const conversation = useRead<Conversation & { readonly messages: readonly Message[] }>(
    `ai/v1/conversations/${conversationId}`,
    undefined,
    { enabled: conversationId !== undefined },
  )
  const changes = useList<Change>(
    'ai/v1/changes',
    { conversationId, perPage: 100 },
    { enabled: conversationId !== undefined },
  )
  // A turn goes on while nobody looks: after the page was loaded anew, too.
  const requests = useRead<{ readonly items: readonly CopilotRequest[] }>('ai/v1/requests')
  const running = requests.data?.items.find(({ state }) => state === 'running')
  useEffect(() => {
    if (!running || requestId !== undefined) return
    setRequestId(running.requestId)
    if (running.conversationId !== null) setPanel({ conversationId: running.conversationId })
  }, [running, requestId])

  const progress = useRead<Progress>(
    'ai/v1/progress',
    { requestId },
    { enabled: requestId !== undefined, every: (now) => (now && now.state !== 'running' ? false : EVERY_MS) },
  )
  const turn = progress.data?.requestId === requestId ? progress.data : undefined

  useEffect(() => {
    if (turn?.state !== 'complete' || !turn.answer) return
    const { conversationId: id, truncated } = turn.answer
    const show = async () => {
      await invalidate(client, ['ai/v1/conversations', 'ai/v1/changes', 'ai/v1/requests', 'ai/v1/usage'])
      setTruncated(truncated)
      setPanel({ conversationId: id })
      setRequestId(undefined)
    }
    void show()
  }, [turn, client])

  // One that was removed meanwhile, here or in another window.
  const isGone = conversation.error instanceof ApiError && conversation.error.status === 404
  useEffect(() => {
    if (isGone) setPanel({ conversationId: undefined })
  }, [isGone])

  const sending = useChange(
    async ({ message, screen, mentions }: Asked) => {
      const posts = [...(screen?.postId === undefined ? [] : [screen.postId]), ...mentions].slice(0, MOST_POSTS)
      const id = crypto.randomUUID()
      await change('POST', 'ai/v1/generateAiResponse', {
        ...{ message, requestId: id, background: true },
        ...(conversationId !== undefined && { conversationId }),
        ...(screen && { screen: screen.title.slice(0, 300) }),
        context: posts.map((id) => ({ id })),
      })
      setTruncated(false)
      setRequestId(id)
      await invalidate(client, ['ai/v1/requests'])
    },
    { quiet: true },
  )
  const cancelling = useChange(() => change('POST', 'ai/v1/cancel', { requestId }), { invalidates: ['ai/v1/progress'] })

  function show(id: number | undefined): void {
    setRequestId(undefined)
    setTruncated(false)
    sending.reset()
    setPanel({ conversationId: id, draft: '' })
  }

  return {
    conversation,
    messages: conversationId === undefined ? [] : (conversation.data?.messages ?? []),
    changes: conversationId === undefined ? [] : (changes.data?.items ?? []),
    turn,
    isBusy: sending.isPending || (requestId !== undefined && (turn === undefined || turn.state === 'running')),
    isTruncated,
    /** Why the last message was not taken, or its request can't be found any more. */
    error: sending.error ?? (requestId !== undefined ? progress.error : null),
    send: sending.mutate,
    cancel: () => cancelling.mutate(),
    isCancelling: cancelling.isPending,
    show,
  }
}

export type Copilot = ReturnType<typeof useCopilot>
