import { useQueryClient } from '@tanstack/react-query'
import { ApiError } from 'pentad/admin/api/error.ts'
import { invalidate, useChange, useList, useRead } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { useEffect, useRef, useState } from 'react'
import type { Change, Conversation, CopilotRequest, Message, Progress } from '../routes.ts'
import { type Asked, setPanel, usePanelState } from './panel-state.ts'

const EVERY_MS = 600
/** The maximum page size of the route. */
const MOST_POSTS = 10

/** A conversation with the copilot: its messages, the current turn, and how to continue it. */
export function useCopilot() {
  const client = useQueryClient()
  const { conversationId, request } = usePanelState()
  const requestId = request?.id
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
  const progress = useRead<Progress>(
    'ai/v1/progress',
    { requestId },
    { enabled: requestId !== undefined, every: (now) => (now && now.state !== 'running' ? false : EVERY_MS) },
  )
  const turn = progress.data?.requestId === requestId ? progress.data : undefined
  useRunning(requestId)

  useEffect(() => {
    if (turn?.state !== 'complete' || !turn.answer) return
    const { conversationId: id, truncated } = turn.answer
    const show = async () => {
      await invalidate(client, ['ai/v1/conversations', 'ai/v1/changes', 'ai/v1/requests', 'ai/v1/usage'])
      setTruncated(truncated)
      setPanel({ conversationId: id, request: undefined })
    }
    void show()
  }, [turn, client])

  // Deleted in the meantime, here or in another tab; or ended so long ago that only the conversation has it.
  const isGone = isMissing(conversation.error)
  const isForgotten = isMissing(progress.error) && !turn
  useEffect(() => {
    if (isGone) setPanel({ conversationId: undefined })
    if (isForgotten) setPanel({ request: undefined })
  }, [isGone, isForgotten])

  const sending = useChange(
    async (asked: Asked) => {
      const { message, screen, mentions } = asked
      const posts = [...(screen?.postId === undefined ? [] : [screen.postId]), ...mentions].slice(0, MOST_POSTS)
      const id = newRequestId()
      await change('POST', 'ai/v1/generateAiResponse', {
        ...{ message, requestId: id, background: true },
        ...(conversationId !== undefined && { conversationId }),
        ...(screen && { screen: screen.title.slice(0, 300) }),
        context: posts.map((post) => ({ id: post })),
      })
      setTruncated(false)
      setPanel({ request: { id, asked } })
      await invalidate(client, ['ai/v1/requests'])
    },
    { quiet: true },
  )
  const canceling = useChange(() => change('POST', 'ai/v1/cancel', { requestId }), { invalidates: ['ai/v1/progress'] })

  function show(id: number | undefined): void {
    setTruncated(false)
    sending.reset()
    setPanel({ conversationId: id, request: undefined, draft: '' })
  }
  /** Sends an unanswered message again. */
  function retry(): void {
    const asked =
      sending.variables ?? request?.asked ?? (turn && { message: turn.message, screen: undefined, mentions: [] })
    if (asked) sending.mutate(asked)
  }

  const isBusy = sending.isPending || (requestId !== undefined && (turn === undefined || turn.state === 'running'))
  /** Why the last message was not accepted, or its result can't be loaded. */
  const error = sending.error ?? (requestId !== undefined && !isForgotten ? progress.error : null)
  return {
    conversation,
    messages: conversationId === undefined ? [] : (conversation.data?.messages ?? []),
    changes: conversationId === undefined ? [] : (changes.data?.items ?? []),
    ...{ turn, isBusy, isTruncated, error, retry, show },
    isNew: conversationId === undefined && !turn && !isBusy && !error,
    send: sending.mutate,
    cancel: () => canceling.mutate(),
    isCanceling: canceling.isPending,
  }
}

/**
 * Follows a turn that was started elsewhere, in another tab or before this one was opened, unless one is in progress here.
 */
function useRunning(requestId: string | undefined): void {
  const requests = useRead<{ readonly items: readonly CopilotRequest[] }>('ai/v1/requests')
  const hasLooked = useRef(requestId !== undefined)
  const items = requests.data?.items
  useEffect(() => {
    if (!items || hasLooked.current) return
    hasLooked.current = true
    const running = items.find(({ state }) => state === 'running')
    if (running) setPanel({ request: { id: running.requestId }, conversationId: running.conversationId ?? undefined })
  }, [items])
}

function isMissing(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 404
}

/** Need not be unguessable; and pages without https have no `crypto.randomUUID`. */
function newRequestId(): string {
  return `${Date.now().toString(36)}-${Math.random().toString(36).slice(2)}`
}

export type Copilot = ReturnType<typeof useCopilot>
