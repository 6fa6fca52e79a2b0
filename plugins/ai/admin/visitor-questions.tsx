import { ActionIcon, Badge, List, Stack, Text } from '@mantine/core'
import { IconTrash } from '@tabler/icons-react'
import { useChange, useList, useRead } from 'pentad/admin/api/query.ts'
import { change } from 'pentad/admin/api/rest.ts'
import { __, sprintf } from 'pentad/admin/i18n.ts'
import { confirmDelete } from 'pentad/admin/parts/confirm.tsx'
import { DataTable } from 'pentad/admin/parts/data-table.tsx'
import { EmptyState } from 'pentad/admin/parts/empty-state.tsx'
import { formatAgo } from 'pentad/admin/parts/format.ts'
import { useListQuery } from 'pentad/admin/parts/list-query.ts'
import { Section } from 'pentad/admin/parts/section.tsx'
import { useSettingValues } from 'pentad/admin/settings/use-settings.ts'
import type { Providers, VisitorConversation } from './routes.ts'

const PATH = 'ai/v1/helpdesk-agent/conversations'

/** What visitors asked within a day: what was not answered is what the site should say. */
export function VisitorQuestions() {
  const query = useListQuery()
  const list = useList<VisitorConversation>(PATH, { page: query.page, perPage: 10 })
  const remove = useChange(({ id }: VisitorConversation) => change('DELETE', `${PATH}/${id}`), { invalidates: [PATH] })
  const firstOf = ({ turns }: VisitorConversation) => turns[0]?.question ?? ''
  return (
    <Section
      title={__('What visitors asked', 'pentad')}
      description={__('Kept for a day, then forgotten. Who asked is not known.', 'pentad')}
    >
      <DataTable
        label={__('Questions of visitors', 'pentad')}
        list={list}
        query={query}
        rowId={({ id }) => id}
        columns={[
          {
            title: __('Questions and answers', 'pentad'),
            cell: ({ turns }) => (
              <Stack gap={4}>
                {turns.map(({ question, reply, createdAt }) => (
                  <div key={createdAt + question}>
                    <Text size="sm" fw={600} dir="auto">
                      {question}
                    </Text>
                    <Text size="sm" c="dimmed" lineClamp={3} dir="auto">
                      {reply}
                    </Text>
                  </div>
                ))}
              </Stack>
            ),
          },
          {
            title: __('Answered', 'pentad'),
            cell: ({ answered }) => (
              <Badge variant="dot" color={answered ? 'teal' : 'yellow'}>
                {answered ? __('Yes', 'pentad') : __('Not all', 'pentad')}
              </Badge>
            ),
          },
          { title: __('When', 'pentad'), isWhole: true, cell: ({ updatedAt }) => formatAgo(updatedAt) },
        ]}
        actions={(row) => (
          <ActionIcon
            variant="subtle"
            color="red"
            aria-label={sprintf(__('Delete “%s”', 'pentad'), firstOf(row))}
            onClick={async () => {
              if (await confirmDelete(firstOf(row))) remove.mutate(row)
            }}
          >
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        )}
        empty={
          <EmptyState title={__('No visitor has asked anything within a day', 'pentad')}>
            <Missing />
          </EmptyState>
        }
      />
    </Section>
  )
}

/** What is still to be done before visitors can ask. */
function Missing() {
  const { helpdeskAgent, helpdeskConversation } = useSettingValues('ai')
  const providers = useRead<Providers>('ai/v1/providers')
  const steps = [
    helpdeskAgent !== 'on' && __('Switch the helpdesk on.', 'pentad'),
    providers.data?.choices.text === null && __('Connect a provider.', 'pentad'),
    helpdeskConversation !== 'on' && __('Switch answers on (Pro).', 'pentad'),
  ].filter((step) => step !== false)
  if (steps.length === 0) return null
  return (
    <List size="sm" ta="start">
      {steps.map((step) => (
        <List.Item key={step}>{step}</List.Item>
      ))}
    </List>
  )
}
