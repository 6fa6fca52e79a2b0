import { Badge, Button, Group, Text } from '@mantine/core'
import { useChange, useList } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change } from '../../api/rest.ts'
import { __, _n, sprintf } from '../../i18n.ts'
import { confirm } from '../../parts/confirm.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { FilterSelect } from '../../parts/filter-select.tsx'
import { formatTime } from '../../parts/format.ts'
import { useListQuery } from '../../parts/list-query.ts'
import { Section } from '../../parts/section.tsx'

const LOG = 'host/v1/mail/log'

type Entry = Responses['GET /host/v1/mail/log']['items'][number]
type Resent = Responses['POST /host/v1/mail/log/{id}/resend']

const STATES = {
  sent: { color: 'teal', label: __('Sent', 'pentad') },
  stored: { color: 'yellow', label: __('Not sent, stored as a file', 'pentad') },
  failed: { color: 'red', label: __('Failed', 'pentad') },
}

/** The emails that the site sent, with a button to send one again. */
export function MailLog() {
  const query = useListQuery()
  const list = useList<Entry>(LOG, { page: query.page, perPage: 25, state: query.get('state') })
  const isEmpty = list.data?.total === 0
  return (
    <Section
      title={__('Email log', 'pentad')}
      description={__(
        'Messages are encrypted and stored only so that they can be sent again. Those with secret links, such as password resets, are not stored.',
        'pentad',
      )}
      actions={isEmpty ? null : <ClearButton />}
    >
      <Group>
        <FilterSelect
          label={__('Status', 'pentad')}
          all={__('All emails', 'pentad')}
          name="state"
          query={query}
          data={Object.entries(STATES).map(([value, { label }]) => ({ value, label }))}
        />
      </Group>
      <DataTable
        label={__('Email log', 'pentad')}
        list={list}
        query={query}
        rowId={({ id }) => id}
        columns={[
          { title: __('Date', 'pentad'), isWhole: true, cell: ({ time }) => formatTime(time) },
          { title: __('Recipient', 'pentad'), cell: ({ recipients }) => <bdi>{recipients}</bdi> },
          { title: __('Subject', 'pentad'), cell: ({ subject }) => <bdi>{subject}</bdi> },
          { title: __('Status', 'pentad'), cell: (entry) => <State {...entry} /> },
          { title: __('Actions', 'pentad'), cell: (entry) => <ResendButton {...entry} /> },
        ]}
        empty={
          <EmptyState title={__('No emails found', 'pentad')}>
            {__('Emails that the site sends appear here.', 'pentad')}
          </EmptyState>
        }
      />
    </Section>
  )
}

function ClearButton() {
  const clear = useChange(() => change('DELETE', LOG), { invalidates: [LOG], done: __('Email log cleared.', 'pentad') })
  const ask = async () => {
    const isSure = await confirm({
      title: __('Clear the email log?', 'pentad'),
      body: __('This can’t be undone.', 'pentad'),
      confirm: __('Clear log', 'pentad'),
      isDestructive: true,
    })
    if (isSure) clear.mutate()
  }
  return (
    <Button size="xs" variant="default" loading={clear.isPending} onClick={() => void ask()}>
      {__('Clear log', 'pentad')}
    </Button>
  )
}

function State({ state, error, attempts }: Entry) {
  return (
    <>
      <Badge variant="light" color={STATES[state].color}>
        {STATES[state].label}
      </Badge>
      {state === 'failed' && (
        <Text size="xs" c="dimmed">
          {sprintf(_n('%1$s (%2$d attempt)', '%1$s (%2$d attempts)', attempts, 'pentad'), error, attempts)}
        </Text>
      )}
    </>
  )
}

function ResendButton({ id, subject, canResend }: Entry) {
  const resend = useChange(() => change<Resent>('POST', `${LOG}/${id}/resend`), {
    invalidates: [LOG],
    done: ({ storedAsFile }) =>
      storedAsFile
        ? __('The email was stored as a file, because no SMTP server is configured.', 'pentad')
        : __('Email sent.', 'pentad'),
  })
  if (!canResend) return <span title={__('The message is not stored.', 'pentad')}>–</span>
  return (
    <Button
      size="xs"
      variant="default"
      loading={resend.isPending}
      onClick={() => resend.mutate()}
      aria-label={sprintf(__('Send again: %s', 'pentad'), subject)}
    >
      {__('Send again', 'pentad')}
    </Button>
  )
}
