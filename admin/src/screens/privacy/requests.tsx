import { Badge, Button, Checkbox, Group, Stack, Text, TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { useChange, useList } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { change, read } from '../../api/rest.ts'
import { __, _n, sprintf } from '../../i18n.ts'
import { confirm } from '../../parts/confirm.tsx'
import { DataTable } from '../../parts/data-table.tsx'
import { EmptyState } from '../../parts/empty-state.tsx'
import { formatNumber, formatTime } from '../../parts/format.ts'
import { useListQuery } from '../../parts/list-query.ts'
import { Page } from '../../parts/page.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { Section } from '../../parts/section.tsx'
import { EMAIL_STORED } from '../../parts/stored-email.ts'

const REQUESTS = 'host/v1/privacy/requests'

type Entry = Responses['GET /host/v1/privacy/requests']['items'][number]
type Sent = Responses['POST /host/v1/privacy/requests']
type PersonalData = Responses['GET /host/v1/privacy/requests/{id}/data']

interface RequestsProps {
  readonly type: Entry['type']
  readonly title: string
  readonly description: string
}

const STATES = {
  pending: { color: 'yellow', label: __('Pending', 'pentad') },
  confirmed: { color: 'blue', label: __('Confirmed', 'pentad') },
  completed: { color: 'teal', label: __('Completed', 'pentad') },
}

const sentText = (storedAsFile: boolean, sent: string) => (storedAsFile ? EMAIL_STORED : sent)

/** Requests of one type, with a form for new ones. */
export function Requests({ type, title, description }: RequestsProps) {
  const query = useListQuery()
  const list = useList<Entry>(REQUESTS, { page: query.page, perPage: 25, type })
  return (
    <Page title={title} description={description}>
      <Stack>
        <NewRequest type={type} />
        <DataTable
          label={title}
          list={list}
          query={query}
          rowId={({ id }) => id}
          columns={[
            { title: __('Email', 'pentad'), cell: ({ email }) => <bdi>{email}</bdi> },
            { title: __('Requested', 'pentad'), isWhole: true, cell: ({ created }) => formatTime(created) },
            { title: __('Status', 'pentad'), cell: (entry) => <State {...entry} /> },
            { title: __('Actions', 'pentad'), cell: (entry) => <Actions {...entry} /> },
          ]}
          empty={
            <EmptyState title={__('No requests', 'pentad')}>
              {__('Requests are deleted 30 days after they are completed.', 'pentad')}
            </EmptyState>
          }
        />
      </Stack>
    </Page>
  )
}

function NewRequest({ type }: Pick<RequestsProps, 'type'>) {
  const [email, setEmail] = useState('')
  const [asks, setAsks] = useState(true)
  const create = useChange(() => change<Sent>('POST', REQUESTS, { type, email, isConfirmed: !asks }), {
    invalidates: [REQUESTS],
    done: ({ storedAsFile }) =>
      asks ? sentText(storedAsFile, __('Confirmation email sent.', 'pentad')) : __('Request added.', 'pentad'),
  })
  const submit = (event: FormEvent) => {
    event.preventDefault()
    create.mutate(undefined, { onSuccess: () => setEmail('') })
  }
  return (
    <Section title={__('Add a request', 'pentad')}>
      <form onSubmit={submit}>
        <Stack gap="sm" align="flex-start">
          <TextInput
            label={__('Email address', 'pentad')}
            type="email"
            required
            maxLength={100}
            w="100%"
            maw="24rem"
            value={email}
            onChange={({ currentTarget }) => setEmail(currentTarget.value)}
          />
          <Checkbox
            label={__('Send confirmation email', 'pentad')}
            description={__('Turn this off only if you know that the request came from this person.', 'pentad')}
            checked={asks}
            onChange={({ currentTarget }) => setAsks(currentTarget.checked)}
          />
          <Button type="submit" loading={create.isPending}>
            {__('Add request', 'pentad')}
          </Button>
        </Stack>
      </form>
    </Section>
  )
}

function State({ state, report }: Entry) {
  return (
    <>
      <Badge variant="light" color={STATES[state].color}>
        {STATES[state].label}
      </Badge>
      {report && (
        <Text size="xs" c="dimmed">
          {sprintf(_n('%s item erased.', '%s items erased.', report.removed, 'pentad'), formatNumber(report.removed))}{' '}
          {report.messages.join(' ')}
        </Text>
      )}
    </>
  )
}

function Actions({ id, type, email, state }: Entry) {
  const options = { invalidates: [REQUESTS, 'wp/v2/comments'] }
  const resend = useChange(() => change<Sent>('POST', `${REQUESTS}/${id}/resend`), {
    ...options,
    done: ({ storedAsFile }) => sentText(storedAsFile, __('Confirmation email sent.', 'pentad')),
  })
  const complete = useChange(() => change<Sent>('POST', `${REQUESTS}/${id}/complete`), {
    ...options,
    done: ({ storedAsFile }) =>
      type === 'export'
        ? sentText(storedAsFile, __('Download link sent.', 'pentad'))
        : __('Personal data erased.', 'pentad'),
  })
  const remove = useChange(() => change('DELETE', `${REQUESTS}/${id}`), {
    ...options,
    done: __('Request deleted.', 'pentad'),
  })
  const download = useChange(async () => save(await read<PersonalData>(`${REQUESTS}/${id}/data`)))

  async function erase(): Promise<void> {
    const isSure = await confirm({
      title: sprintf(__('Erase the personal data of %s?', 'pentad'), email),
      body: __('This can’t be undone.', 'pentad'),
      confirm: __('Erase personal data', 'pentad'),
      isDestructive: true,
    })
    if (isSure) complete.mutate()
  }
  return (
    <Group gap="xs">
      {state === 'pending' && (
        <Button size="xs" variant="default" loading={resend.isPending} onClick={() => resend.mutate()}>
          {__('Send confirmation again', 'pentad')}
        </Button>
      )}
      {state !== 'pending' && type === 'export' && (
        <>
          <Button size="xs" variant="default" loading={complete.isPending} onClick={() => complete.mutate()}>
            {__('Send export link', 'pentad')}
          </Button>
          <Button size="xs" variant="default" loading={download.isPending} onClick={() => download.mutate()}>
            {__('Download personal data', 'pentad')}
          </Button>
        </>
      )}
      {state === 'confirmed' && type === 'erase' && (
        <Button size="xs" color="red" loading={complete.isPending} onClick={() => void erase()}>
          {__('Erase personal data', 'pentad')}
        </Button>
      )}
      <Button
        size="xs"
        variant="subtle"
        loading={remove.isPending}
        onClick={() => remove.mutate()}
        aria-label={sprintf(__('Delete request: %s', 'pentad'), email)}
      >
        {__('Delete request', 'pentad')}
      </Button>
    </Group>
  )
}

function save(data: PersonalData): void {
  saveFile('personal-data.json', new Blob([JSON.stringify(data, null, 2)], { type: 'application/json' }))
}
