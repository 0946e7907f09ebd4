-- The rules of the specification as constraints. The sandbox is the only writer, and its connection
-- checks references. A number is never used twice (AUTOINCREMENT), nor is an ID made from it.

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

-- Times are Unix seconds.
CREATE TABLE keys (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    organization INTEGER NOT NULL REFERENCES organizations,
    private TEXT NOT NULL,
    signs_from REAL NOT NULL,
    published_until REAL
) STRICT;

-- Every organization has a default network (section 2.2, rule 3).
CREATE TRIGGER default_network AFTER INSERT ON organizations
BEGIN INSERT INTO networks (organization, name) VALUES (new.number, 'default'); END;

CREATE TRIGGER machines_go_with_their_app BEFORE DELETE ON apps
BEGIN DELETE FROM machines WHERE app = old.number; END;

-- The first network ID is 2:0. Both of its groups take part from the start.
INSERT INTO sqlite_sequence (name, seq) VALUES ('networks', 0x1ffff);
PRAGMA user_version = 2;
