import { Alert, Button, Loader, Stack, Text } from '@mantine/core'
import { ApiError, messageOf } from 'pentad/admin/api/error.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { ErrorNote } from 'pentad/admin/parts/error-note.tsx'
import { useEffect, useRef } from 'react'
import type { Change, Message } from '../routes.ts'
import { Changes } from './changes.tsx'
import classes from './chat-message.module.css'
import { ChatMessage } from './chat-message.tsx'
import { Markdown } from './markdown.tsx'
import { Steps } from './steps.tsx'
import { Failed, Turn } from './turn.tsx'
import type { Copilot } from './use-copilot.ts'

interface ConversationProps {
  readonly copilot: Copilot
  readonly onSay: (message: string) => void
}

/** The messages with their proposed changes, and the current turn. */
export function Conversation({ copilot, onSay }: ConversationProps) {
  const { conversation, messages, changes, turn, isTruncated, error, retry } = copilot
  const end = useRef<HTMLDivElement>(null)
  const askAgain = ({ summary }: Change) =>
    onSay(sprintf(__('Check the current version and prepare this change again: %s', 'pentad'), summary))

  // biome-ignore lint/correctness/useExhaustiveDependencies: whenever there is more to see
  useEffect(() => {
    end.current?.scrollIntoView({ block: 'nearest' })
  }, [messages.length, turn?.state, turn?.partial.length, error])

  return (
    <Stack gap="xs">
      {conversation.isLoading && <Loader size="sm" aria-label={__('Loading', 'pentad')} />}
      {conversation.error && <ErrorNote error={conversation.error} onRetry={() => void conversation.refetch()} />}
      {/* Screen readers announce new messages, but not a message that is still being written. */}
      <div role="log" aria-label={__('Conversation', 'pentad')}>
        {messages.map((message) => (
          <Entry key={message.id} message={message}>
            <Changes
              changes={changes
                .filter(({ messageId }) => messageId === message.id)
                .sort((one, other) => one.id - other.id)}
              onAskAgain={askAgain}
            />
          </Entry>
        ))}
      </div>
      {isTruncated && (
        <Alert color="yellow" role="status">
          <Text size="sm">{__('The answer was cut off because it reached the model’s length limit.', 'pentad')}</Text>
          <Button size="compact-xs" variant="default" mt={4} onClick={() => onSay(__('Continue.', 'pentad'))}>
            {__('Continue', 'pentad')}
          </Button>
        </Alert>
      )}
      {turn && turn.state !== 'complete' && (
        <Turn turn={turn} onCancel={copilot.cancel} isCanceling={copilot.isCanceling} onRetry={retry} />
      )}
      {error && (
        <Failed code={error instanceof ApiError ? error.code : ''} message={messageOf(error)} onRetry={retry} />
      )}
      <div ref={end} />
    </Stack>
  )
}

function Entry({ message: { role, text, steps }, children }: { message: Message; children: React.ReactNode }) {
  return (
    <ChatMessage by={role}>
      {role === 'user' ? (
        <Text size="sm" className={classes.words} dir="auto">
          {text}
        </Text>
      ) : (
        <Stack gap="xs">
          <Markdown text={text} />
          <Steps steps={steps} />
          {children}
        </Stack>
      )}
    </ChatMessage>
  )
}
