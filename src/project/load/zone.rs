//! The time zone of a policy that sets none itself.

use super::super::SETTINGS;
use super::Loader;
use crate::config::TimeZoneSetting;
use crate::project::find::LayerDirectory;

impl Loader<'_> {
    /// Sets the time zone of a policy that has no setting for it: that of the nearest directory around it, else
    /// `inherited`.
    pub(in crate::project) fn inherit_zone(&mut self, around: &[LayerDirectory], inherited: Option<TimeZoneSetting>) {
        if self.layer.settings.zone.is_some() || !self.layer.exists {
            return;
        }
        let inside_out = around.iter().rev().filter_map(|directory| directory.physical.as_ref().ok()?.clone());
        for directory in inside_out {
            let path = directory.join(SETTINGS);
            let Ok(Some(text)) = self.read_text(&path) else { continue };
            self.layer.settings.zone = self.parse_settings(&path, text).and_then(|(settings, _)| settings.zone);
            if self.layer.settings.zone.is_some() {
                return;
            }
        }
        self.layer.settings.zone = inherited;
    }
}
