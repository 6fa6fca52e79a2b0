import { Alert, Anchor, Button, Group, Loader, Progress as ProgressBar, Stack, Text } from '@mantine/core'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { Link } from 'react-router'
import type { Progress } from '../routes.ts'
import classes from './chat-message.module.css'
import { ChatMessage } from './chat-message.tsx'
import { Markdown } from './markdown.tsx'

interface TurnProps {
  readonly turn: Progress
  readonly onCancel: () => void
  readonly isCanceling: boolean
  readonly onRetry: () => void
}

/** The message being answered, or the one that failed. Earlier messages are above it. */
export function Turn({ turn, onCancel, isCanceling, onRetry }: TurnProps) {
  const { message, state, partial, error } = turn
  return (
    <>
      <ChatMessage by="user">
        <Text size="sm" className={classes.words} dir="auto">
          {message}
        </Text>
      </ChatMessage>
      {state === 'running' && (
        <ChatMessage by="assistant">
          {partial !== '' && <Markdown text={partial} />}
          <Working turn={turn} />
          <Button size="compact-xs" variant="default" onClick={onCancel} loading={isCanceling}>
            {__('Stop', 'pentad')}
          </Button>
        </ChatMessage>
      )}
      {state === 'failed' && error && <Failed {...error} onRetry={onRetry} />}
      {state === 'cancelled' && (
        <Alert color="gray" title={__('Stopped', 'pentad')} role="status">
          <Group gap="xs">
            <Text size="sm">{__('The partial answer was discarded.', 'pentad')}</Text>
            <Button size="compact-xs" variant="default" onClick={onRetry}>
              {__('Ask again', 'pentad')}
            </Button>
          </Group>
        </Alert>
      )}
    </>
  )
}

function Working({ turn: { step, maxSteps, tool } }: { turn: Progress }) {
  const doing = tool
    ? sprintf(__('Using %s', 'pentad'), tool.replace('/', ': ').replaceAll('-', ' '))
    : __('Thinking…', 'pentad')
  return (
    <Stack gap={4} my={4}>
      <Group gap="xs" wrap="nowrap">
        <Loader size="xs" type="dots" aria-hidden />
        <Text size="xs" c="dimmed" role="status">
          {doing}
        </Text>
      </Group>
      <ProgressBar
        value={(100 * step) / maxSteps}
        size="xs"
        aria-label={sprintf(__('Step %1$d of up to %2$d', 'pentad'), step, maxSteps)}
      />
    </Stack>
  )
}

/** A link to fix the problem, if the user can. */
const REMEDIES: Readonly<Record<string, { readonly to: string; readonly label: string }>> = {
  ai_no_provider: { to: '/ai', label: __('Connect a provider', 'pentad') },
  ai_provider_auth: { to: '/ai', label: __('Check API keys', 'pentad') },
  ai_limit_reached: { to: '/ai/usage', label: __('Check usage limits', 'pentad') },
}

export function Failed({ code, message, onRetry }: { code: string; message: string; onRetry: () => void }) {
  const remedy = REMEDIES[code]
  return (
    <Alert color="red" role="alert" title={__('The copilot could not answer', 'pentad')}>
      <Text size="sm">{message}</Text>
      <Group gap="xs" mt="xs">
        <Button size="compact-xs" variant="default" onClick={onRetry}>
          {__('Try again', 'pentad')}
        </Button>
        {remedy && (
          <Anchor component={Link} to={remedy.to} size="sm">
            {remedy.label}
          </Anchor>
        )}
      </Group>
    </Alert>
  )
}
