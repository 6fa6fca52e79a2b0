import { Button } from '@mantine/core'
import { __ } from 'pentad/admin/i18n.ts'
import { Page } from 'pentad/admin/parts/page.tsx'
import { Section } from 'pentad/admin/parts/section.tsx'
import { Link, useParams } from 'react-router'
import { LogEntries } from './log-entries.tsx'

/** The log of a failed job, which has no backup. */
export default function JobLog() {
  const { id = '' } = useParams()
  return (
    <Page
      title={__('Job log', 'pentad')}
      actions={
        <Button component={Link} to="/backup" variant="default">
          {__('Back to backups', 'pentad')}
        </Button>
      }
    >
      <Section title={__('Log', 'pentad')}>
        <LogEntries id={{ jobId: id }} />
      </Section>
    </Page>
  )
}
