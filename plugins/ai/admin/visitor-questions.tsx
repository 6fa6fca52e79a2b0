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

/** Visitors' questions of the last day: unanswered ones show what the site should explain. */
export function VisitorQuestions() {
  const query = useListQuery()
  const list = useList<VisitorConversation>(PATH, { page: query.page, perPage: 10 })
  const remove = useChange(({ id }: VisitorConversation) => change('DELETE', `${PATH}/${id}`), { invalidates: [PATH] })
  const firstOf = ({ turns }: VisitorConversation) => turns[0]?.question ?? ''
  return (
    <Section
      title={__('Visitor questions', 'pentad')}
      description={__('Stored anonymously and deleted after one day.', 'pentad')}
    >
      <DataTable
        label={__('Visitor questions', 'pentad')}
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
                {answered ? __('Yes', 'pentad') : __('Partially', 'pentad')}
              </Badge>
            ),
          },
          { title: __('Date', 'pentad'), isWhole: true, cell: ({ updatedAt }) => formatAgo(updatedAt) },
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
          <EmptyState title={__('No questions in the last 24 hours', 'pentad')}>
            <Missing />
          </EmptyState>
        }
      />
    </Section>
  )
}

/** The remaining steps until visitors can ask. */
function Missing() {
  const { helpdeskAgent, helpdeskConversation } = useSettingValues('ai')
  const providers = useRead<Providers>('ai/v1/providers')
  const steps = [
    helpdeskAgent !== 'on' && __('Turn on the helpdesk.', 'pentad'),
    providers.data?.choices.text === null && __('Connect an AI provider.', 'pentad'),
    helpdeskConversation !== 'on' && __('Turn on AI answers (Pro).', 'pentad'),
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
