BEGIN TRANSACTION;
CREATE TABLE alembic_version (
	version_num VARCHAR(32) NOT NULL, 
	CONSTRAINT alembic_version_pkc PRIMARY KEY (version_num)
);
INSERT INTO "alembic_version" VALUES('0001');
CREATE TABLE entries (
	room VARCHAR(24) NOT NULL, 
	game INTEGER NOT NULL, 
	seq INTEGER NOT NULL, 
	kind VARCHAR(8) NOT NULL, 
	seat INTEGER NOT NULL, 
	options TEXT NOT NULL, 
	at FLOAT NOT NULL, 
	left1 FLOAT NOT NULL, 
	left2 FLOAT NOT NULL, 
	why VARCHAR(12) NOT NULL, 
	stop VARCHAR(12) NOT NULL, 
	PRIMARY KEY (room, game, seq)
);
INSERT INTO "entries" VALUES('playing-lite',1,0,'say',0,'1',0.0,610.0,600.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,1,'say',0,'28',0.0,620.0,600.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,2,'say',0,'9',0.0,630.0,600.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,3,'say',0,'0',0.0,640.0,600.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,4,'say',1,'0',0.0,640.0,610.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,5,'say',0,'14 32 23 64',0.0,650.0,610.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,6,'say',0,'15 48 22 0',0.0,660.0,610.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,7,'say',0,'0',0.0,670.0,610.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,8,'say',1,'14 35 26 64',0.0,670.0,620.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,9,'say',1,'15 43 23 0',0.0,670.0,630.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,10,'say',1,'0',0.0,670.0,640.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,11,'say',0,'0',0.0,680.0,640.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,12,'say',0,'0',0.0,690.0,640.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,13,'say',1,'15 48 1 2',0.0,690.0,650.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,14,'say',1,'0',0.0,690.0,660.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,15,'say',0,'0',0.0,700.0,660.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,16,'say',0,'15 43 13 1',0.0,710.0,660.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,17,'say',0,'0',0.0,720.0,660.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,18,'say',1,'0',0.0,720.0,670.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,19,'say',0,'0',0.0,730.0,670.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,20,'say',1,'0',0.0,730.0,680.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,21,'say',0,'8',0.0,740.0,680.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,22,'say',0,'0',0.0,750.0,680.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,23,'say',1,'0',0.0,750.0,690.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,24,'say',1,'0',0.0,750.0,700.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,25,'say',0,'0',0.0,760.0,700.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,26,'say',1,'1',0.0,760.0,710.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,27,'say',1,'9',0.0,760.0,720.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,28,'say',1,'18 52',0.0,760.0,730.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,29,'say',1,'32',0.0,760.0,740.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,30,'say',1,'14 32 37 64',0.0,760.0,750.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,31,'say',1,'0',0.0,760.0,760.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,32,'say',0,'0',0.0,770.0,760.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,33,'say',1,'1',0.0,770.0,770.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,34,'say',1,'0',0.0,770.0,780.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,35,'say',0,'0',0.0,780.0,780.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,36,'say',1,'4 13',0.0,780.0,790.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,37,'say',1,'0',0.0,780.0,800.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,38,'say',0,'0',0.0,790.0,800.0,'','');
INSERT INTO "entries" VALUES('playing-lite',1,39,'say',1,'1',0.0,790.0,810.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,0,'say',0,'39 36',0.0,610.0,600.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,1,'say',1,'3 38',0.0,610.0,610.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,2,'say',1,'0',0.0,610.0,620.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,3,'say',0,'38 28 41',0.0,620.0,620.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,4,'say',0,'0',0.0,630.0,620.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,5,'say',0,'39 46 50 129',0.0,640.0,620.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,6,'say',0,'0',0.0,650.0,620.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,7,'say',1,'11',0.0,650.0,630.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,8,'say',1,'33 53',0.0,650.0,640.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,9,'say',1,'0',0.0,650.0,650.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,10,'say',1,'0',0.0,650.0,660.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,11,'say',0,'0',0.0,660.0,660.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,12,'say',1,'0',0.0,660.0,670.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,13,'say',0,'38 3 37',0.0,670.0,670.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,14,'say',0,'1',0.0,680.0,670.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,15,'say',0,'0',0.0,690.0,670.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,16,'say',1,'19 13 14',0.0,690.0,680.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,17,'say',1,'18 44 5 1',0.0,690.0,690.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,18,'say',1,'0',0.0,690.0,700.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,19,'say',0,'0',0.0,700.0,700.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,20,'say',0,'0',0.0,710.0,700.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,21,'say',1,'38 23 28',0.0,710.0,710.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,22,'say',1,'129',0.0,710.0,720.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,23,'say',1,'0',0.0,710.0,730.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,24,'say',0,'0',0.0,720.0,730.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,25,'say',0,'1',0.0,730.0,730.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,26,'say',0,'38 25 48',0.0,740.0,730.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,27,'say',0,'0',0.0,750.0,730.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,28,'say',1,'0',0.0,750.0,740.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,29,'say',0,'12',0.0,760.0,740.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,30,'say',0,'0',0.0,770.0,740.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,31,'say',1,'0',0.0,770.0,750.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,32,'say',0,'11',0.0,780.0,750.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,33,'say',0,'0',0.0,790.0,750.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,34,'say',1,'0',0.0,790.0,760.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,35,'say',1,'0',0.0,790.0,770.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,36,'say',0,'0',0.0,800.0,770.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,37,'say',1,'0',0.0,800.0,780.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,38,'say',1,'0',0.0,800.0,790.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,39,'say',0,'0',0.0,810.0,790.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,40,'say',1,'38 8 11',0.0,810.0,800.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,41,'say',1,'128',0.0,810.0,810.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,42,'say',1,'12',0.0,810.0,820.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,43,'say',1,'0',0.0,810.0,830.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,44,'say',0,'0',0.0,820.0,830.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,45,'say',1,'11',0.0,820.0,840.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,46,'say',1,'0',0.0,820.0,850.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,47,'say',0,'0',0.0,830.0,850.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,48,'say',0,'0',0.0,840.0,850.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,49,'say',1,'0',0.0,840.0,860.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,50,'say',0,'0',0.0,850.0,860.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,51,'say',0,'12',0.0,860.0,860.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,52,'say',0,'38 5 30',0.0,870.0,860.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,53,'say',0,'0',0.0,880.0,860.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,54,'say',1,'0',0.0,880.0,870.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,55,'say',0,'0',0.0,890.0,870.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,56,'say',1,'0',0.0,890.0,880.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,57,'say',0,'1',0.0,900.0,880.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,58,'say',0,'0',0.0,910.0,880.0,'','');
INSERT INTO "entries" VALUES('playing-extra',1,59,'say',1,'0',0.0,910.0,890.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,0,'say',0,'1',0.0,610.0,600.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,1,'say',1,'1',0.0,610.0,610.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,2,'say',0,'26 13 40',0.0,620.0,610.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,3,'say',0,'0',0.0,630.0,610.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,4,'say',1,'0',0.0,630.0,620.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,5,'say',0,'1',0.0,640.0,620.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,6,'say',0,'11',0.0,650.0,620.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,7,'say',0,'0',0.0,660.0,620.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,8,'say',1,'17 30 1 65',0.0,660.0,630.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,9,'say',1,'0',0.0,660.0,640.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,10,'say',0,'0',0.0,670.0,640.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,11,'say',1,'0',0.0,670.0,650.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,12,'say',0,'17 31 29 64',0.0,680.0,650.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,13,'say',0,'18 44 33 1',0.0,690.0,650.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,14,'say',0,'0',0.0,700.0,650.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,15,'say',1,'0',0.0,700.0,660.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,16,'say',0,'8 5 7 65 64',0.0,710.0,660.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,17,'say',0,'0',0.0,720.0,660.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,18,'say',1,'0',0.0,720.0,670.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,19,'say',0,'0',0.0,730.0,670.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,20,'say',1,'0',0.0,730.0,680.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,21,'say',1,'0',0.0,730.0,690.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,22,'say',0,'0',0.0,740.0,690.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,23,'say',1,'1',0.0,740.0,700.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,24,'say',1,'26 18 51',0.0,740.0,710.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,25,'say',1,'17 32 8 64',0.0,740.0,720.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,26,'say',1,'0',0.0,740.0,730.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,27,'say',0,'0',0.0,750.0,730.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,28,'say',1,'1',0.0,750.0,740.0,'','');
INSERT INTO "entries" VALUES('playing-half',1,29,'say',1,'0',0.0,750.0,750.0,'','');
INSERT INTO "entries" VALUES('over-room',1,0,'say',1,'0',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,1,'auto',0,'0',0.0,0.0,0.0,'nothing','');
INSERT INTO "entries" VALUES('over-room',1,2,'say',1,'23 27 40',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,3,'auto',1,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,4,'say',0,'0',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,5,'say',1,'8',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,6,'say',1,'0',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,7,'auto',0,'0',0.0,0.0,0.0,'nothing','');
INSERT INTO "entries" VALUES('over-room',1,8,'say',1,'10',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,9,'auto',1,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,10,'auto',0,'0',0.0,0.0,0.0,'nothing','end');
INSERT INTO "entries" VALUES('over-room',1,11,'auto',0,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,12,'auto',1,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,13,'say',0,'1',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,14,'say',0,'10',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,15,'auto',0,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,16,'auto',1,'0',0.0,0.0,0.0,'nothing','end');
INSERT INTO "entries" VALUES('over-room',1,17,'say',0,'40',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,18,'auto',1,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,19,'auto',0,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,20,'say',1,'0',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,21,'say',1,'11',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,22,'auto',1,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,23,'auto',0,'0',0.0,0.0,0.0,'nothing','attack');
INSERT INTO "entries" VALUES('over-room',1,24,'say',1,'1',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,25,'say',1,'2',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,26,'say',1,'10',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,27,'auto',1,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,28,'auto',0,'0',0.0,0.0,0.0,'end','end');
INSERT INTO "entries" VALUES('over-room',1,29,'auto',0,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,30,'auto',1,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,31,'say',0,'1',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,32,'say',0,'11',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,33,'auto',0,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,34,'say',1,'0',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,35,'say',0,'19 4 41',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,36,'auto',0,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,37,'say',1,'0',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,38,'say',0,'25 18 31 192',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,39,'auto',0,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,40,'say',1,'0',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,41,'say',0,'0',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,42,'say',0,'10',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,43,'auto',0,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,44,'auto',1,'0',0.0,0.0,0.0,'end','end');
INSERT INTO "entries" VALUES('over-room',1,45,'auto',1,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,46,'auto',0,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,47,'say',1,'0',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,48,'say',1,'4 39',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,49,'auto',1,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,50,'say',0,'15 6 14 130',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,51,'auto',0,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,52,'say',1,'14 15 41 130',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,53,'auto',1,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,54,'say',0,'0',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,55,'say',1,'15 6 24 130',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,56,'auto',1,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,57,'say',0,'14 13 43 130',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,58,'auto',0,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,59,'say',1,'0',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,60,'auto',1,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,61,'auto',0,'0',0.0,0.0,0.0,'nothing','magic');
INSERT INTO "entries" VALUES('over-room',1,62,'auto',1,'0',0.0,0.0,0.0,'useless','magic');
INSERT INTO "entries" VALUES('over-room',1,63,'auto',0,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,64,'auto',1,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,65,'auto',0,'0',0.0,0.0,0.0,'nothing','summon');
INSERT INTO "entries" VALUES('over-room',1,66,'say',1,'21 25 43',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,67,'auto',1,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,68,'auto',0,'0',0.0,0.0,0.0,'nothing','magic');
INSERT INTO "entries" VALUES('over-room',1,69,'say',1,'1',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,70,'say',1,'10',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,71,'auto',1,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,72,'auto',0,'0',0.0,0.0,0.0,'nothing','end');
INSERT INTO "entries" VALUES('over-room',1,73,'auto',0,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,74,'auto',1,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,75,'say',0,'1',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,76,'say',0,'11',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,77,'auto',0,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,78,'auto',1,'0',0.0,0.0,0.0,'nothing','attack');
INSERT INTO "entries" VALUES('over-room',1,79,'say',0,'10',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,80,'auto',0,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,81,'auto',1,'0',0.0,0.0,0.0,'nothing','end');
INSERT INTO "entries" VALUES('over-room',1,82,'auto',1,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,83,'auto',0,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,84,'say',1,'0',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,85,'say',1,'6 51 192 167',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,86,'auto',1,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,87,'auto',0,'0',0.0,0.0,0.0,'useless','summon');
INSERT INTO "entries" VALUES('over-room',1,88,'say',1,'10',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,89,'auto',1,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,90,'auto',0,'0',0.0,0.0,0.0,'nothing','end');
INSERT INTO "entries" VALUES('over-room',1,91,'auto',0,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,92,'auto',1,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,93,'say',0,'0',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,94,'say',0,'18 25 28 193',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,95,'auto',0,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,96,'auto',1,'0',0.0,0.0,0.0,'nothing','magic');
INSERT INTO "entries" VALUES('over-room',1,97,'say',0,'10',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,98,'auto',0,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,99,'auto',1,'0',0.0,0.0,0.0,'nothing','end');
INSERT INTO "entries" VALUES('over-room',1,100,'auto',1,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,101,'auto',0,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,102,'say',1,'1',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,103,'say',1,'0',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,104,'auto',0,'0',0.0,0.0,0.0,'nothing','');
INSERT INTO "entries" VALUES('over-room',1,105,'say',1,'11',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,106,'auto',1,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,107,'auto',0,'0',0.0,0.0,0.0,'nothing','attack');
INSERT INTO "entries" VALUES('over-room',1,108,'say',1,'167',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,109,'say',1,'16 28 18 167',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,110,'auto',1,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,111,'say',0,'0',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,112,'say',1,'1',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,113,'auto',1,'0',0.0,0.0,0.0,'nothing','block');
INSERT INTO "entries" VALUES('over-room',1,114,'auto',0,'0',0.0,0.0,0.0,'nothing','block');
INSERT INTO "entries" VALUES('over-room',1,115,'auto',1,'0',0.0,0.0,0.0,'nothing','judgement');
INSERT INTO "entries" VALUES('over-room',1,116,'auto',0,'0',0.0,0.0,0.0,'nothing','judgement');
INSERT INTO "entries" VALUES('over-room',1,117,'say',1,'1',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,118,'say',1,'10',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,119,'auto',1,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,120,'auto',0,'0',0.0,0.0,0.0,'nothing','end');
INSERT INTO "entries" VALUES('over-room',1,121,'auto',0,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,122,'auto',1,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,123,'say',0,'1',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,124,'say',0,'25 10 23 192',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,125,'auto',0,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,126,'auto',1,'0',0.0,0.0,0.0,'nothing','magic');
INSERT INTO "entries" VALUES('over-room',1,127,'say',0,'0',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,128,'say',0,'11',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,129,'auto',0,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,130,'auto',1,'0',0.0,0.0,0.0,'nothing','attack');
INSERT INTO "entries" VALUES('over-room',1,131,'say',0,'0',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,132,'auto',1,'0',0.0,0.0,0.0,'nothing','');
INSERT INTO "entries" VALUES('over-room',1,133,'say',0,'1',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,134,'say',0,'53',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,135,'say',0,'10',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,136,'auto',0,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,137,'auto',1,'0',0.0,0.0,0.0,'nothing','end');
INSERT INTO "entries" VALUES('over-room',1,138,'auto',1,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,139,'auto',0,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,140,'say',1,'1',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,141,'say',1,'1',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,142,'say',1,'34',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,143,'say',1,'10',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,144,'auto',1,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,145,'auto',0,'0',0.0,0.0,0.0,'nothing','end');
INSERT INTO "entries" VALUES('over-room',1,146,'auto',0,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,147,'auto',1,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,148,'say',0,'0',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,149,'say',0,'2 42 64',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,150,'auto',0,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,151,'auto',1,'0',0.0,0.0,0.0,'nothing','summon');
INSERT INTO "entries" VALUES('over-room',1,152,'say',0,'1',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,153,'say',0,'30',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,154,'say',0,'11',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,155,'auto',0,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,156,'auto',1,'0',0.0,0.0,0.0,'nothing','attack');
INSERT INTO "entries" VALUES('over-room',1,157,'say',0,'0',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,158,'auto',1,'0',0.0,0.0,0.0,'nothing','');
INSERT INTO "entries" VALUES('over-room',1,159,'say',0,'10',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,160,'auto',0,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,161,'auto',1,'0',0.0,0.0,0.0,'nothing','end');
INSERT INTO "entries" VALUES('over-room',1,162,'auto',1,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,163,'auto',0,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,164,'say',1,'1',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,165,'say',1,'2 17 192',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,166,'auto',1,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,167,'auto',0,'0',0.0,0.0,0.0,'nothing','summon');
INSERT INTO "entries" VALUES('over-room',1,168,'say',1,'18 23 36 64',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,169,'auto',1,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,170,'auto',0,'0',0.0,0.0,0.0,'nothing','magic');
INSERT INTO "entries" VALUES('over-room',1,171,'say',1,'10',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,172,'auto',1,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,173,'auto',0,'0',0.0,0.0,0.0,'nothing','end');
INSERT INTO "entries" VALUES('over-room',1,174,'auto',0,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,175,'auto',1,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,176,'say',0,'1',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,177,'say',0,'18 24 32 64',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,178,'auto',0,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,179,'auto',1,'0',0.0,0.0,0.0,'nothing','magic');
INSERT INTO "entries" VALUES('over-room',1,180,'say',0,'0',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,181,'auto',1,'0',0.0,0.0,0.0,'nothing','');
INSERT INTO "entries" VALUES('over-room',1,182,'say',0,'10',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,183,'auto',0,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,184,'auto',1,'0',0.0,0.0,0.0,'nothing','end');
INSERT INTO "entries" VALUES('over-room',1,185,'auto',1,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,186,'auto',0,'0',0.0,0.0,0.0,'draw','');
INSERT INTO "entries" VALUES('over-room',1,187,'say',1,'1',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,188,'say',1,'19 11 48',0.0,0.0,0.0,'','');
INSERT INTO "entries" VALUES('over-room',1,189,'auto',1,'0',0.0,0.0,0.0,'own','');
INSERT INTO "entries" VALUES('over-room',1,190,'auto',0,'0',0.0,0.0,0.0,'nothing','magic');
CREATE TABLE keys (
	name VARCHAR(24) NOT NULL, 
	value BLOB NOT NULL, 
	PRIMARY KEY (name)
);
CREATE TABLE records (
	id VARCHAR(24) NOT NULL, 
	room VARCHAR(24) NOT NULL, 
	game INTEGER NOT NULL, 
	part INTEGER NOT NULL, 
	text TEXT NOT NULL, 
	meta TEXT NOT NULL, 
	created FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "records" VALUES('23934305b13281859791','over-room',1,1,'BlackPoker record 1
# commitment: 68574c2359365715fd0c770db4e838f04f2bff5fc7b99a3508e6681fa8c601ab
# secret: 457c769f39d8644199c0e5bdbcfbc85b37ce91cbde1fc1b0ea6b44f130436dd7
# salt p1: salt a
# salt p2: salt b
# stream: 1
edition: act6.1+ex6.30.1
regulation: standard+full
p1: A
p2: B
result: p2 life
deck p1: SA S2 S3 S4 S5 S6 S7 S8 S9 S10 SJ SQ SK HA H2 H3 H4 H5 H6 H7 H8 H9 H10 HJ HQ HK DA D2 D3 D4 D5 D6 D7 D8 D9 D10 DJ DQ DK CA C2 C3 C4 C5 C6 C7 C8 C9 C10 CJ CQ CK JK JK2
deck p2: SA S2 S3 S4 S5 S6 S7 S8 S9 S10 SJ SQ SK HA H2 H3 H4 H5 H6 H7 H8 H9 H10 HJ HQ HK DA D2 D3 D4 D5 D6 D7 D8 D9 D10 DJ DQ DK CA C2 C3 C4 C5 C6 C7 C8 C9 C10 CJ CQ CK JK JK2
shuffle p1: HK D6 C5 S9 S7 C2 H2 S6 HA H6 C3 S5 HJ C4 D3 D10 C8 C6 CA DK H3 CQ S8 S4 DJ JK H4 S2 D4 SJ JK2 S3 D5 SQ C10 H5 H7 S10 D8 HQ C9 D7 H10 SK DA H9 CK D9 C7 D2 DQ SA H8 CJ
shuffle p2: C2 C3 CA D2 C5 H3 S3 SJ HK S7 D10 H2 D4 H4 D5 JK HQ D8 CJ D7 CK C8 H6 D3 H7 D9 HJ S10 DJ H5 S8 SQ C10 S9 H10 SA S2 C9 HA S5 JK2 DA C7 S4 C6 D6 DQ DK SK H9 S6 H8 C4 CQ
start: deal
turn 1 p2 a0de63c686590378
p2: pass
p1: pass
p2: hand_destruction D2 C2
p2: pass
p1: pass
p2: S9
p2: pass
p1: pass
p2: end
p2: pass
p1: pass
turn 2 p1 04c4b2cdadd6d6c8
p1: pass
p2: pass
p1: yes
p1: end
p1: pass
p2: pass
p1: C2
turn 3 p2 a87a99e01902e852
p2: pass
p1: pass
p2: no
p2: attack
p2: pass
p1: pass
p2: set_bulwark
p2: S3
p2: end
p2: pass
p1: pass
turn 4 p1 0bf97f29ac8d5cc5
p1: pass
p2: pass
p1: yes
p1: attack
p1: pass
p2: pass
p1: throw S5 C3
p1: pass
p2: pass
p1: reverse H6 D6 >p2.b1
p1: pass
p2: pass
p1: charged
p1: end
p1: pass
p2: pass
turn 5 p2 dbbc0bf608aef447
p2: pass
p1: pass
p2: no
p2: summon_ace CA
p2: pass
p1: down S7 $H2 >p2.S3
p1: pass
p2: up H3 $C3 >p2.S3
p2: pass
p1: pass
p2: down S7 $HQ >p2.S3
p2: pass
p1: up HA $C5 >p2.S3
p1: pass
p2: pass
p2: pass
p1: pass
p2: pass
p1: pass
p2: pass
p1: pass
p2: replenish_bulwark HK C5
p2: pass
p1: pass
p2: two
p2: end
p2: pass
p1: pass
turn 6 p1 cd0405053118872e
p1: pass
p2: pass
p1: yes
p1: attack
p1: pass
p2: pass
p1: end
p1: pass
p2: pass
turn 7 p2 92e29630d292a728
p2: pass
p1: pass
p2: no
p2: equip CK $b1 >p2.CA
p2: pass
p1: pass
p2: end
p2: pass
p1: pass
turn 8 p1 62e06d379d32e8d8
p1: pass
p2: pass
p1: no
p1: destroy_bulwark HK D3 >p2.b2
p1: pass
p2: pass
p1: end
p1: pass
p2: pass
turn 9 p2 ad2e14db1c3459f4
p2: pass
p1: pass
p2: yes
p2: pass
p1: pass
p2: attack
p2: pass
p1: pass
p2: CA
p2: twist D3 $H6 >p2.CA
p2: pass
p1: pass
p2: driven
p2: pass
p1: pass
p2: pass
p1: pass
p2: set_bulwark
p2: end
p2: pass
p1: pass
turn 10 p1 53d9f69223f8d47f
p1: pass
p2: pass
p1: yes
p1: reverse SJ HJ >p2.b1
p1: pass
p2: pass
p1: charged
p1: attack
p1: pass
p2: pass
p1: pass
p2: pass
p1: set_bulwark
p1: JK2
p1: end
p1: pass
p2: pass
turn 11 p2 a4f0f8d853f9a6e0
p2: pass
p1: pass
p2: yes
p2: set_bulwark
p2: D9
p2: end
p2: pass
p1: pass
turn 12 p1 ddec08010a268acf
p1: pass
p2: pass
p1: no
p1: summon_soldier C4 $b1
p1: pass
p2: pass
p1: set_bulwark
p1: D5
p1: attack
p1: pass
p2: pass
p1: pass
p2: pass
p1: end
p1: pass
p2: pass
turn 13 p2 6bc739728e755d17
p2: pass
p1: pass
p2: yes
p2: summon_soldier H5 $b1
p2: pass
p1: pass
p2: destroy_bulwark HJ DJ >p1.b1
p2: pass
p1: pass
p2: end
p2: pass
p1: pass
turn 14 p1 a1e4f5e828d4b89a
p1: pass
p2: pass
p1: yes
p1: destroy_bulwark HQ D7 >p1.b1
p1: pass
p2: pass
p1: pass
p2: pass
p1: end
p1: pass
p2: pass
turn 15 p2 f1511a4ef646dc1f
p2: pass
p1: pass
p2: yes
p2: throw SQ C10
p2: pass
p1: pass
','{"room":"room","regulation":"standard+full","names":["A","B"],"levels":["",""],"winner":"p2","reason":"life","turns":15,"practice":false,"at":0.0,"part":1}',1700000000.0);
CREATE TABLE rooms (
	id VARCHAR(24) NOT NULL, 
	phase VARCHAR(8) NOT NULL, 
	data TEXT NOT NULL, 
	updated FLOAT NOT NULL, 
	PRIMARY KEY (id)
);
INSERT INTO "rooms" VALUES('waiting-room','waiting','{"id":"waiting-room","settings":{"regulation":"lite+entry","opponent":"human","clock":{"bank":0,"each":10,"chance":60,"grace":60},"window_ms":0,"spectators":true,"spectator_delay":0,"first":"p1"},"start":"","phase":"waiting","game":0,"secret":"f5b165224a58b791df6af1d8303e61cdc4bb86c3d1c427103c344c4189eb2f1e","practice":false,"seats":[{"kind":"human","guest":"guest-a","name":"A","level":"","ready":false,"salt":"","deck":"","mode":"auto","stops":[]},{"kind":"human","guest":"guest-b","name":"B","level":"","ready":false,"salt":"","deck":"","mode":"auto","stops":[]}]}',1700000000.0);
INSERT INTO "rooms" VALUES('playing-lite','playing','{"id":"playing-lite","settings":{"regulation":"lite+entry","opponent":"human","clock":{"bank":600,"each":10,"chance":60,"grace":60},"window_ms":0,"spectators":true,"spectator_delay":0,"first":"p1"},"start":"","phase":"playing","game":1,"secret":"73a9bef499bbf4dc7bd2a4f2c8af5bd99f267a0ed3197217dd2bba1537436e5c","practice":false,"seats":[{"kind":"human","guest":"guest-a","name":"A","level":"","ready":true,"salt":"salt a","deck":"","mode":"full","stops":[]},{"kind":"human","guest":"guest-b","name":"B","level":"","ready":true,"salt":"salt b","deck":"","mode":"full","stops":[]}]}',1700000000.0);
INSERT INTO "rooms" VALUES('playing-extra','playing','{"id":"playing-extra","settings":{"regulation":"extra+full","opponent":"human","clock":{"bank":600,"each":10,"chance":60,"grace":60},"window_ms":0,"spectators":true,"spectator_delay":0,"first":"p1"},"start":"","phase":"playing","game":1,"secret":"fd3feb3c9250b7974a9b528b69636321a461b55ef55b7beafd809a9a9e925b79","practice":false,"seats":[{"kind":"human","guest":"guest-a","name":"A","level":"","ready":true,"salt":"salt a","deck":"","mode":"full","stops":[]},{"kind":"human","guest":"guest-b","name":"B","level":"","ready":true,"salt":"salt b","deck":"","mode":"full","stops":[]}]}',1700000000.0);
INSERT INTO "rooms" VALUES('playing-half','playing','{"id":"playing-half","settings":{"regulation":"pro+randomhalf","opponent":"human","clock":{"bank":600,"each":10,"chance":60,"grace":60},"window_ms":0,"spectators":true,"spectator_delay":0,"first":"p1"},"start":"","phase":"playing","game":1,"secret":"d7a56d3cfcf9a44dc716691acdaba1b8a912646543c6977a5a43ac2753cf1017","practice":false,"seats":[{"kind":"human","guest":"guest-a","name":"A","level":"","ready":true,"salt":"salt a","deck":"","mode":"full","stops":[]},{"kind":"human","guest":"guest-b","name":"B","level":"","ready":true,"salt":"salt b","deck":"","mode":"full","stops":[]}]}',1700000000.0);
INSERT INTO "rooms" VALUES('over-room','over','{"id":"over-room","settings":{"regulation":"standard+full","opponent":"human","clock":{"bank":0,"each":10,"chance":60,"grace":60},"window_ms":0,"spectators":true,"spectator_delay":0,"first":"p1"},"start":"","phase":"over","game":1,"secret":"457c769f39d8644199c0e5bdbcfbc85b37ce91cbde1fc1b0ea6b44f130436dd7","practice":false,"seats":[{"kind":"human","guest":"guest-a","name":"A","level":"","ready":true,"salt":"salt a","deck":"","mode":"auto","stops":[]},{"kind":"human","guest":"guest-b","name":"B","level":"","ready":true,"salt":"salt b","deck":"","mode":"auto","stops":[]}]}',1700000000.0);
CREATE INDEX rooms_by_phase ON rooms (phase, updated);
CREATE INDEX records_by_time ON records (created);
COMMIT;
