import { __ } from '../../i18n.ts'
import { Requests } from './requests.tsx'

/** WordPress's _Tools → Export Personal Data_. */
export default function ExportData() {
  return (
    <Requests
      type="export"
      title={__('Export personal data', 'pentad')}
      description={__(
        'When people ask for the data that the site stores about them, enter their email address. They confirm the request by email and then receive a download link.',
        'pentad',
      )}
    />
  )
}
