import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import { __ } from '../../i18n.ts'
import { can } from '../../page-data.ts'
import { Page } from '../../parts/page.tsx'
import { Section } from '../../parts/section.tsx'

/** An overview of the tools. */
export default function Tools() {
  return (
    <Page title={__('Tools', 'pentad')}>
      {can('import') && (
        <Section
          title={__('Import', 'pentad')}
          description={__('Import posts, pages, media, comments, and menus from a WordPress or Pentad site.', 'pentad')}
        >
          <Text>
            <Anchor component={Link} to="/tools/import">
              {__('Import content', 'pentad')}
            </Anchor>
          </Text>
        </Section>
      )}
      {can('export') && (
        <Section
          title={__('Export', 'pentad')}
          description={__('Export the content of this site to a file that WordPress and Pentad can import.', 'pentad')}
        >
          <Text>
            <Anchor component={Link} to="/tools/export">
              {__('Export content', 'pentad')}
            </Anchor>
          </Text>
        </Section>
      )}
      {can('manage_options') && (
        <Section
          title={__('Site Health', 'pentad')}
          description={__('Check the site and its server for problems, and fix them.', 'pentad')}
        >
          <Text>
            <Anchor component={Link} to="/tools/site-health">
              {__('Check site health', 'pentad')}
            </Anchor>
          </Text>
        </Section>
      )}
      {can('manage_options') && (
        <Section
          title={__('Personal data', 'pentad')}
          description={__(
            'Handle people’s requests to export or erase the data that the site stores about them.',
            'pentad',
          )}
        >
          <Text>
            <Anchor component={Link} to="/tools/privacy/export">
              {__('Export personal data', 'pentad')}
            </Anchor>
          </Text>
          <Text>
            <Anchor component={Link} to="/tools/privacy/erase">
              {__('Erase personal data', 'pentad')}
            </Anchor>
          </Text>
        </Section>
      )}
      {can('manage_options') && (
        <Section
          title={__('Site setup', 'pentad')}
          description={__(
            'Run the setup wizard again: title, appearance, email, backups, and search engines.',
            'pentad',
          )}
        >
          <Text>
            <Anchor component={Link} to="/setup">
              {__('Set up the site', 'pentad')}
            </Anchor>
          </Text>
        </Section>
      )}
    </Page>
  )
}
