import { Alert, Button, Fieldset, Grid, Group, Stack, Switch, Text, Textarea, TextInput } from '@mantine/core'
import { ApiError, messageOf } from 'pentad/admin/api/error.ts'
import { useChange, useList, useRead } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, _n, sprintf } from 'pentad/admin/i18n.ts'
import { confirm } from 'pentad/admin/parts/confirm.tsx'
import { formatNumber } from 'pentad/admin/parts/format.ts'
import { Section } from 'pentad/admin/parts/section.tsx'
import { ImageField } from 'pentad/admin/screens/media/image-field.tsx'
import { type FormEvent, useState } from 'react'
import { AudienceFields } from './audience-fields.tsx'
import type { Draft } from './draft.ts'
import { NotificationPreview } from './notification-preview.tsx'
import { type Audience, SUBSCRIBERS, type Subscriber, type SubscriberSummary } from './routes.ts'

const EMPTY: Draft = {
  ...{ title: '', message: '', url: '/', image: 0, persistent: false, vibration: false, buttons: [] },
}
const MOST_BUTTONS = 2

const toggle = (isOn: boolean) => (isOn ? 'on' : 'off')

function toData({ title, message, url, image, persistent, vibration, buttons }: Draft) {
  return {
    notificationTitle: title,
    notificationMessage: message,
    notificationUrl: url,
    notificationImage: image,
    notificationPersistent: toggle(persistent),
    notificationVibration: toggle(vibration),
    notificationActionButtons: buttons.map((button) => ({ text: button.text, url: button.url })),
  }
}

/** Composes a notification with a preview, and sends it. */
export function Compose() {
  const [draft, setDraft] = useState<Draft>(EMPTY)
  const [audience, setAudience] = useState<Audience>({})
  const set = (changes: Partial<Draft>) => setDraft((before) => ({ ...before, ...changes }))
  const summary = useRead<SubscriberSummary>(`${SUBSCRIBERS}/summary`, { days: 30 })
  const reached = useList<Subscriber>(`${SUBSCRIBERS}/fetch`, { perPage: 1, ...audience })
  const send = useChange(
    () =>
      change<{ jobId: string }>('POST', `${SUBSCRIBERS}/send`, {
        notificationData: toData(draft),
        audience,
        wait: false,
      }),
    { invalidates: [SUBSCRIBERS], done: __('Notification queued.', 'pentad'), quiet: true },
  )
  const count = reached.data?.total ?? 0
  const fieldErrors = send.error instanceof ApiError ? send.error.params : {}
  const errorOf = (name: string) => fieldErrors[`notificationData.${name}`]

  async function submit(event: FormEvent) {
    event.preventDefault()
    const isSure = await confirm({
      title: sprintf(__('Send “%s”?', 'pentad'), draft.title),
      body: sprintf(
        _n(
          'It will be sent to %s subscriber immediately and can’t be recalled.',
          'It will be sent to %s subscribers immediately and can’t be recalled.',
          count,
          'pentad',
        ),
        formatNumber(count),
      ),
      confirm: __('Send notification', 'pentad'),
    })
    if (isSure) send.mutate(undefined, { onSuccess: () => setDraft(EMPTY) })
  }

  return (
    <Section title={__('New notification', 'pentad')}>
      <form onSubmit={submit} noValidate>
        <Grid>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <Stack>
              <TextInput
                label={__('Title', 'pentad')}
                required
                maxLength={200}
                value={draft.title}
                error={errorOf('notificationTitle')}
                onChange={(event) => set({ title: event.currentTarget.value })}
              />
              <Textarea
                label={__('Message', 'pentad')}
                description={__('Most devices show three or four lines.', 'pentad')}
                autosize
                minRows={3}
                value={draft.message}
                error={errorOf('notificationMessage')}
                onChange={(event) => set({ message: event.currentTarget.value })}
              />
              <TextInput
                label={__('Launch URL', 'pentad')}
                description={__('A path on this site, or a full URL.', 'pentad')}
                value={draft.url}
                error={errorOf('notificationUrl')}
                onChange={(event) => set({ url: event.currentTarget.value })}
              />
              <ImageField
                label={__('Image', 'pentad')}
                error={errorOf('notificationImage')}
                value={draft.image}
                onChange={(image) => set({ image })}
              />
              <Switch
                label={__('Keep on screen until dismissed', 'pentad')}
                checked={draft.persistent}
                onChange={(event) => set({ persistent: event.currentTarget.checked })}
              />
              <Switch
                label={__('Vibrate', 'pentad')}
                checked={draft.vibration}
                onChange={(event) => set({ vibration: event.currentTarget.checked })}
              />
              <Buttons draft={draft} set={set} />
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 6 }}>
            <NotificationPreview draft={draft} />
          </Grid.Col>
        </Grid>
        <Stack mt="md">
          {summary.data && summary.data.total > 0 && (
            <Fieldset legend={__('Audience', 'pentad')}>
              <AudienceFields summary={summary.data} value={audience} onChange={setAudience} />
            </Fieldset>
          )}
          {send.error && (
            <Alert color="red" role="alert" title={__('Notification not sent', 'pentad')}>
              {messageOf(send.error)}
            </Alert>
          )}
          <Group>
            <Button type="submit" loading={send.isPending} disabled={draft.title.trim() === '' || count === 0}>
              {__('Send notification', 'pentad')}
            </Button>
            <Text size="sm" c="dimmed" aria-live="polite">
              {count === 0
                ? __('No subscribers match. There is no one to send to.', 'pentad')
                : sprintf(_n('to %s subscriber', 'to %s subscribers', count, 'pentad'), formatNumber(count))}
            </Text>
          </Group>
        </Stack>
      </form>
    </Section>
  )
}

/** Action buttons of the notification; they require a license. */
function Buttons({ draft: { buttons }, set }: { draft: Draft; set: (changes: Partial<Draft>) => void }) {
  const license = useRead<{ readonly active: boolean }>('host/v1/license')
  const change = (id: number, to: { text?: string; url?: string }) =>
    set({ buttons: buttons.map((button) => (button.id === id ? { ...button, ...to } : button)) })
  return (
    <Fieldset legend={license.data?.active ? __('Buttons', 'pentad') : __('Buttons (Pro)', 'pentad')}>
      <Stack gap="xs">
        {buttons.map(({ id, text, url }, at) => (
          <Group key={id} align="flex-end" gap="xs">
            <TextInput
              label={sprintf(__('Button %d label', 'pentad'), at + 1)}
              value={text}
              maxLength={60}
              onChange={(event) => change(id, { text: event.currentTarget.value })}
            />
            <TextInput
              label={sprintf(__('Button %d URL', 'pentad'), at + 1)}
              value={url}
              onChange={(event) => change(id, { url: event.currentTarget.value })}
            />
            <Button
              variant="subtle"
              size="xs"
              onClick={() => set({ buttons: buttons.filter((button) => button.id !== id) })}
              aria-label={sprintf(__('Remove button %d', 'pentad'), at + 1)}
            >
              {__('Remove', 'pentad')}
            </Button>
          </Group>
        ))}
        {buttons.length < MOST_BUTTONS && (
          <div>
            <Button
              variant="default"
              size="xs"
              onClick={() => set({ buttons: [...buttons, { id: Date.now(), text: '', url: '/' }] })}
            >
              {__('Add button', 'pentad')}
            </Button>
          </div>
        )}
      </Stack>
    </Fieldset>
  )
}
