import { Stack, Table, Text } from '@mantine/core'
import { __ } from 'pentad/admin/i18n.ts'
import type { ModelKind, Providers } from './routes.ts'

const KINDS: readonly { readonly kind: ModelKind; readonly label: string; readonly without: string }[] = [
  {
    kind: 'text',
    label: __('Text and copilot', 'pentad'),
    without: __('None. Connect a provider below.', 'pentad'),
  },
  {
    kind: 'image',
    label: __('Images', 'pentad'),
    without: __('None. Connect OpenAI or Google, or enter the image model of a compatible server.', 'pentad'),
  },
  {
    kind: 'embedding',
    label: __('Related posts', 'pentad'),
    without: __('Uses keyword matching. No connected provider offers embeddings.', 'pentad'),
  },
]

/** The model used for each kind of task. */
export function ModelsInUse({ choices }: Pick<Providers, 'choices'>) {
  return (
    <Stack gap="xs">
      <Table aria-label={__('Models in use', 'pentad')}>
        <Table.Tbody>
          {KINDS.map(({ kind, label, without }) => {
            const choice = choices[kind]
            return (
              <Table.Tr key={kind}>
                <Table.Th scope="row" w="35%">
                  {label}
                </Table.Th>
                <Table.Td>
                  {choice ? (
                    `${choice.provider}/${choice.model}`
                  ) : (
                    <Text size="sm" c="dimmed">
                      {without}
                    </Text>
                  )}
                </Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </Stack>
  )
}
