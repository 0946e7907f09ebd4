-- The rules of the specification as constraints. Triggers hold them on every connection: SQLite
-- checks references, and triggers of what INSERT OR REPLACE deletes, only where a pragma says so.
-- A number is never used twice (AUTOINCREMENT), so an ID made from it is not either.

CREATE TABLE settings (
    name TEXT PRIMARY KEY,
    value TEXT NOT NULL
) STRICT;

CREATE TABLE organizations (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    slug TEXT NOT NULL UNIQUE
) STRICT;

-- The number of a network is its network ID (section 2.2): 32 bits, and 0 is no custom network.
CREATE TABLE networks (
    number INTEGER PRIMARY KEY AUTOINCREMENT CHECK (number BETWEEN 1 AND 4294967295),
    organization INTEGER NOT NULL REFERENCES organizations,
    name TEXT NOT NULL CHECK (name GLOB '[A-Za-z]*' AND name NOT GLOB '*[^A-Za-z0-9-]*'),
    UNIQUE (organization, name)
) STRICT;

-- An app belongs to the organization of its network, so the two cannot contradict each other.
CREATE TABLE apps (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL UNIQUE,
    network INTEGER NOT NULL REFERENCES networks
) STRICT;
CREATE INDEX apps_of_network ON apps (network);

CREATE TABLE machines (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    app INTEGER NOT NULL REFERENCES apps
) STRICT;
CREATE INDEX machines_of_app ON machines (app);

CREATE VIEW machine_records AS
SELECT
    machines.number, apps.number AS app_number, apps.name AS app,
    organizations.number AS organization_number, slug AS organization, network AS network_id
FROM machines
JOIN apps ON machines.app = apps.number
JOIN networks ON apps.network = networks.number
JOIN organizations ON networks.organization = organizations.number;

CREATE TABLE keys (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    organization INTEGER NOT NULL REFERENCES organizations,
    private TEXT NOT NULL,
    published_until INTEGER
) STRICT;

-- Every organization has a default network (section 2.2, rule 3).
CREATE TRIGGER default_network AFTER INSERT ON organizations
BEGIN INSERT INTO networks (organization, name) VALUES (new.number, 'default'); END;

-- Nothing is put in the place of a row, and nothing without what it belongs to.
CREATE TRIGGER organizations_are_new BEFORE INSERT ON organizations
WHEN EXISTS (SELECT 1 FROM organizations WHERE number = new.number OR slug = new.slug)
BEGIN SELECT raise(ABORT, 'there is such an organization'); END;
CREATE TRIGGER networks_are_new BEFORE INSERT ON networks
WHEN EXISTS (
    SELECT 1 FROM networks
    WHERE number = new.number OR (organization = new.organization AND name = new.name)
)
BEGIN SELECT raise(ABORT, 'there is such a network'); END;
CREATE TRIGGER networks_have_an_organization BEFORE INSERT ON networks
WHEN NOT EXISTS (SELECT 1 FROM organizations WHERE number = new.organization)
BEGIN SELECT raise(ABORT, 'there is no such organization'); END;
CREATE TRIGGER apps_are_new BEFORE INSERT ON apps
WHEN EXISTS (SELECT 1 FROM apps WHERE number = new.number OR name = new.name)
BEGIN SELECT raise(ABORT, 'there is such an app'); END;
CREATE TRIGGER apps_have_a_network BEFORE INSERT ON apps
WHEN NOT EXISTS (SELECT 1 FROM networks WHERE number = new.network)
BEGIN SELECT raise(ABORT, 'there is no such network'); END;
CREATE TRIGGER machines_are_new BEFORE INSERT ON machines
WHEN EXISTS (SELECT 1 FROM machines WHERE number = new.number)
BEGIN SELECT raise(ABORT, 'there is such a Machine'); END;
CREATE TRIGGER machines_have_an_app BEFORE INSERT ON machines
WHEN NOT EXISTS (SELECT 1 FROM apps WHERE number = new.app)
BEGIN SELECT raise(ABORT, 'there is no such app'); END;
CREATE TRIGGER machines_go_with_their_app BEFORE DELETE ON apps
BEGIN DELETE FROM machines WHERE app = old.number; END;

CREATE TRIGGER organizations_stay BEFORE DELETE ON organizations
BEGIN SELECT raise(ABORT, 'an organization stays'); END;
CREATE TRIGGER organizations_are_fixed BEFORE UPDATE ON organizations
BEGIN SELECT raise(ABORT, 'an organization is never changed'); END;
CREATE TRIGGER networks_stay BEFORE DELETE ON networks
BEGIN SELECT raise(ABORT, 'a network outlives its apps'); END;
CREATE TRIGGER networks_are_fixed BEFORE UPDATE ON networks
BEGIN SELECT raise(ABORT, 'the ID of a network is bound to its name for ever'); END;
CREATE TRIGGER apps_are_fixed BEFORE UPDATE ON apps
BEGIN SELECT raise(ABORT, 'an app stays on its network'); END;
CREATE TRIGGER machines_are_fixed BEFORE UPDATE ON machines
BEGIN SELECT raise(ABORT, 'a Machine stays in its app'); END;

-- The first network ID is 2:0. Both of its groups take part from the start.
INSERT INTO sqlite_sequence (name, seq) VALUES ('networks', 0x1ffff);
PRAGMA user_version = 1;
