import { Badge, Stack, Text } from '@mantine/core'
import { useRead } from '../../api/query.ts'
import type { Responses } from '../../api/responses.ts'
import { __, _n, sprintf } from '../../i18n.ts'
import { EmptyState } from '../../parts/empty-state.tsx'
import { formatTime } from '../../parts/format.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'

const READERS = 'host/v1/changes/readers'
/** Poll interval in ms: purges happen in the background. */
const EVERY = 5000

type Readers = Responses['GET /host/v1/changes/readers']
type Reader = Readers['items'][number]

/** Which changes the caches in front of the site have received. */
export default function Caches() {
  const list = useRead<Readers>(READERS, undefined, { every: EVERY })
  return (
    <Page
      title={__('Caches', 'pentad')}
      description={__(
        'The nodes of the site, CDNs and other caches in front of it, and the changes that each has received.',
        'pentad',
      )}
    >
      <Stack maw={760}>
        <Loaded query={list}>
          {({ items }) =>
            items.length === 0 ? (
              <EmptyState title={__('No caches yet', 'pentad')}>
                {__(
                  'Activate an extension for your CDN, add a webhook, or create an application password for a program that reads the change feed.',
                  'pentad',
                )}
              </EmptyState>
            ) : (
              items.map((reader) => <ReaderItem key={reader.id} reader={reader} />)
            )
          }
        </Loaded>
      </Stack>
    </Page>
  )
}

function ReaderItem({ reader }: { reader: Reader }) {
  const { kind, name, address, error } = reader
  const product =
    kind === 'webhook' ? __('Webhook', 'pentad') : kind === 'node' ? sprintf(__('Node %s', 'pentad'), name) : name
  return (
    <Section
      title={sprintf(__('%1$s (%2$s)', 'pentad'), product, address)}
      description={stateOf(reader)}
      actions={
        <Badge color={error === '' ? 'teal' : 'yellow'}>
          {error === '' ? __('Working', 'pentad') : __('Failing', 'pentad')}
        </Badge>
      }
    >
      {error !== '' && <Text size="sm">{error}</Text>}
    </Section>
  )
}

/** How far a reader is, as a sentence. */
function stateOf({ kind, pending, failures, error, failingSince, nextAttempt, updated }: Reader): string {
  const isCurrent = pending === 0 && failures === 0
  const state = isCurrent
    ? __('Up to date', 'pentad')
    : sprintf(_n('%d event behind', '%d events behind', pending, 'pentad'), pending)
  if (failures > 0 && failingSince !== null) {
    return sprintf(__('%1$s, retrying since %2$s', 'pentad'), state, formatTime(failingSince))
  }
  if (failures > 0 && nextAttempt !== null) {
    return sprintf(__('%1$s, next retry %2$s', 'pentad'), state, formatTime(nextAttempt))
  }
  if (kind === 'cache' && error === '' && nextAttempt !== null) {
    return sprintf(__('%1$s, waiting for its rate limit until %2$s', 'pentad'), state, formatTime(nextAttempt))
  }
  if ((kind === 'feed' || kind === 'node') && updated !== null)
    return sprintf(__('%1$s, last read %2$s', 'pentad'), state, formatTime(updated))
  return state
}
